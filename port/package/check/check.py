# SPDX-License-Identifier: MIT
# For PlatformIO: checks a config before the firmware is compiled. In platformio.ini:
#
#     extra_scripts = pre:.pio/libdeps/${PIOENV}/quash/extras/check/check.py
#     custom_quash_check = CONFIG src/tables.c
#
# A wrong config ends the build. The firmware finds quash_checked_CONFIG.h. HOSTCC in the environment is the compiler of this computer.
import inspect
import os
import subprocess

Import("env")

here = os.path.dirname(os.path.abspath(inspect.currentframe().f_code.co_filename))
folder = os.path.join(env.subst("$BUILD_DIR"), "quash-checked")
config, *tables = env.GetProjectOption("custom_quash_check").split()
compiler = env.subst("$CC $CFLAGS $CCFLAGS $_CPPDEFFLAGS $_CPPINCFLAGS").split()
subprocess.check_call(["sh", os.path.join(here, "check.sh"), folder, config, *tables, "--", *compiler])
env.Append(CPPPATH=[folder])
