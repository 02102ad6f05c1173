# SPDX-License-Identifier: MIT
"""configure.py APPLICATION BUILD MODULE...

In place of Zephyr's scripts: looks at each module's zephyr/module.yml by the rules of its published schema, has Kconfig
read a stub of Zephyr's root with the modules' files behind it, applies prj.conf, and writes what CMake and the compiler
get. As in Zephyr, an assignment that Kconfig does not take over is an error."""

import os
import re
import sys

import kconfiglib
import yaml

STRING, FLAG = (str,), (bool,)
# The keys of a module and their types; of a list, its items'. Zephyr 4.4, scripts/schemas/module-schema.yaml; LATER has those that
# 3.6 refuses.
LATER = ["security", "package-managers"]
SCHEMA = {
    "name": STRING,
    "build": {
        "cmake": STRING, "kconfig": STRING, "cmake-ext": FLAG, "kconfig-ext": FLAG,
        "sysbuild-cmake": STRING, "sysbuild-kconfig": STRING, "sysbuild-cmake-ext": FLAG, "sysbuild-kconfig-ext": FLAG,
        "depends": [STRING],
        "settings": {key + "_root": STRING for key in ("board", "dts", "snippet", "soc", "arch", "module_ext", "sca")},
    },
    "tests": [STRING],
    "samples": [STRING],
    "boards": [STRING],
    "security": {"external-references": [STRING]},
    "package-managers": {"pip": {"requirement-files": [STRING]}},
}


def check(value, rule, where):
    if isinstance(rule, dict):
        assert isinstance(value, dict), f"{where}: not a map"
        for key, inner in value.items():
            assert key in rule, f"{where}: no key {key}"
            check(inner, rule[key], f"{where}/{key}")
    elif isinstance(rule, list):
        assert isinstance(value, list), f"{where}: not a list"
        for item in value:
            check(item, rule[0], where)
    else:
        assert isinstance(value, rule), f"{where}: {value!r}"


def module_at(folder):
    with open(os.path.join(folder, "zephyr/module.yml"), encoding="utf-8") as file:
        module = yaml.safe_load(file)
    check(module, SCHEMA, "module.yml")
    check(module, {key: rule for key, rule in SCHEMA.items() if key not in LATER}, "module.yml of Zephyr 3.6")
    build = module["build"]
    needed = [os.path.join(build["cmake"], "CMakeLists.txt"), build["kconfig"], *module.get("samples", []), *module.get("tests", [])]
    for path in needed:
        assert os.path.exists(os.path.join(folder, path)), f"module.yml names {path}, which is not there"
    return module


def kconfig_of(modules, build):
    """Writes the root: the stub's symbols, then for each module its menu, as Zephyr does."""
    menus = ""
    for folder, module in modules:
        symbol = re.sub("[^a-zA-Z0-9]", "_", module["name"]).upper()
        path = os.path.join(folder, module["build"]["kconfig"])
        menus += f'menu "{module["name"]} ({folder})"\nosource "{path}"\n' \
            f"config ZEPHYR_{symbol}_MODULE\n\tbool\n\tdefault y\nendmenu\n"
    root = os.path.join(build, "Kconfig.root")
    stub = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Kconfig")
    with open(root, "w", encoding="utf-8") as file:
        file.write(f'source "{stub}"\n{menus}')
    kconfig = kconfiglib.Kconfig(root, warn_to_stderr=False)
    kconfig.warn_assign_undef = True
    return kconfig


def apply(kconfig, path, *more):
    kconfig.load_config(path)
    for extra in more:
        kconfig.load_config(extra, replace=False)
    for symbol in kconfig.unique_defined_syms:
        given = symbol.user_value
        if given is not None:
            given = kconfiglib.TRI_TO_STR[given] if isinstance(given, int) else given
            assert given == symbol.str_value, f"{path}: {symbol.name}={given} is not taken over: {symbol.str_value}"
    assert not kconfig.warnings, "\n".join(kconfig.warnings)


def main(application, build, *folders):
    modules = [(folder, module_at(folder)) for folder in folders]
    os.makedirs(build, exist_ok=True)
    kconfig = kconfig_of(modules, build)
    extra = [os.path.join(application, name) for name in os.environ.get("EXTRA_CONF_FILE", "").split(";") if name]
    apply(kconfig, os.environ.get("CONF_FILE", os.path.join(application, "prj.conf")), *extra)
    kconfig.write_config(os.path.join(build, ".config"))
    kconfig.write_autoconf(os.path.join(build, "autoconf.h"))
    with open(os.path.join(build, "config.cmake"), "w", encoding="utf-8") as file:
        for symbol in kconfig.unique_defined_syms:
            if symbol.config_string and not symbol.config_string.startswith("#"):
                file.write(f'set(CONFIG_{symbol.name} "{symbol.str_value}")\n')
        for folder, module in modules:
            file.write(f'list(APPEND STUB_MODULE_FOLDERS "{os.path.join(folder, module["build"]["cmake"])}")\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
