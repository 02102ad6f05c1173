#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""STUB of ESP-IDF's idf.py: `idf.py [set-target TARGET] [reconfigure] [build] [flash]`, with real CMake and the real Kconfig language,
but stubs of ESP-IDF's CMake functions. The target linux is a program over fake.c."""

import os
import subprocess
import sys

import kconfiglib

STUBS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IDF_PATH = os.path.join(STUBS, 'idf')
FREESTANDING = '-ffreestanding -isystem ' + os.path.join(STUBS, 'newlib')
COMPILERS = {
    'esp32': ('xtensa-lx106-elf-gcc', FREESTANDING + ' -mlongcalls'),
    'esp32c3': ('riscv64-unknown-elf-gcc', FREESTANDING + ' -march=rv32imc -mabi=ilp32'),
    'linux': ('gcc', '-g -fsanitize=address,undefined -fno-sanitize-recover=all'),
}


def paths_of_components():
    with open('main/idf_component.yml', encoding='utf-8') as manifest:
        lines = [line for line in manifest if line.startswith('    path: ') and '$' not in line]
    return [os.path.join('main', line.split()[1]) for line in lines]


def configure():
    """Writes build/config/sdkconfig.h and .cmake from the Kconfig files and sdkconfig.defaults; what these have and nobody
    knows is an error."""
    os.makedirs('build/config', exist_ok=True)
    files = [os.path.join(STUBS, 'idf/Kconfig'), os.path.abspath('main/Kconfig.projbuild')]
    files += [os.path.abspath(os.path.join(path, 'Kconfig')) for path in paths_of_components()]
    with open('build/config/Kconfig', 'w', encoding='utf-8') as top:
        top.writelines(f'source "{file}"\n' for file in files)
    config = kconfiglib.Kconfig('build/config/Kconfig', warn_to_stderr=False)
    config.warn_assign_undef = True
    config.load_config('sdkconfig.defaults')
    if config.warnings:
        sys.exit('\n'.join(config.warnings))
    config.write_autoconf('build/config/sdkconfig.h')
    with open('build/config/sdkconfig.cmake', 'w', encoding='utf-8') as file:
        for symbol in config.unique_defined_syms:
            value = '' if symbol.str_value == 'n' else symbol.str_value
            file.write(f'set(CONFIG_{symbol.name} "{value}")\n')


def generate(target):
    compiler, flags = COMPILERS[target]
    system = [] if target == 'linux' else ['-DCMAKE_SYSTEM_NAME=Generic', '-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY']
    subprocess.run(['cmake', '-S', '.', '-B', 'build', f'-DCMAKE_C_COMPILER={compiler}', f'-DCMAKE_C_FLAGS={flags}', *system],
        check=True)


def main(words):
    print('STUB: this is not ESP-IDF', flush=True)
    os.environ['IDF_PATH'] = IDF_PATH
    os.environ.setdefault('STUB_IDF_VERSION', '5.5')
    target = 'esp32'
    while words:
        word = words.pop(0)
        if word == 'set-target':
            target = words.pop(0)
        elif word in ('reconfigure', 'build'):
            os.environ['IDF_TARGET'] = target
            configure()
            generate(target)
            if word == 'build':
                subprocess.run(['cmake', '--build', 'build', '-j', '2'], check=True)
        elif word == 'flash':
            print('STUB: nothing is flashed')
        else:
            sys.exit(f'STUB: {word} is not known')


main(sys.argv[1:])
