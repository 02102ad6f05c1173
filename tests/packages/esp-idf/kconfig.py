#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""kconfig.py KCONFIG: prints its symbols as JSON: type, default, ranges, whether there is a prompt and help. Of ESP-IDF's own
symbols the chip is stated, that of tests/packages/esp-idf/idf/Kconfig."""

import json
import os
import sys
import tempfile

import kconfiglib

STUB = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'idf/Kconfig')

os.environ['IDF_TARGET'] = 'esp32s3'
with tempfile.NamedTemporaryFile('w', suffix='.Kconfig', encoding='utf-8') as top:
    top.write(f'source "{STUB}"\nsource "{os.path.abspath(sys.argv[1])}"\n')
    top.flush()
    config = kconfiglib.Kconfig(top.name, warn_to_stderr=False)
print(json.dumps({
    'warnings': config.warnings,
    'symbols': {
        symbol.name: {
            'type': kconfiglib.TYPE_TO_STR[symbol.type],
            'value': symbol.str_value,
            'ranges': len(symbol.ranges),
            'prompt': symbol.nodes[0].prompt is not None,
            'help': symbol.nodes[0].help or '',
        } for symbol in config.unique_defined_syms if symbol.name.startswith('QUASH_')
    },
}))
