#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""kconfig.py KCONFIG: prints its symbols as JSON: type, default, ranges, whether there is a prompt and help."""

import json
import sys

import kconfiglib

config = kconfiglib.Kconfig(sys.argv[1], warn_to_stderr=False)
print(json.dumps({
    'warnings': config.warnings,
    'symbols': {
        symbol.name: {
            'type': kconfiglib.TYPE_TO_STR[symbol.type],
            'value': symbol.str_value,
            'ranges': len(symbol.ranges),
            'prompt': symbol.nodes[0].prompt is not None,
            'help': symbol.nodes[0].help or '',
        } for symbol in config.unique_defined_syms
    },
}))
