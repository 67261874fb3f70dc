#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""embed-presets.py OUT FILE.json…: writes the table behind machine/presets.h as C."""
import json
import os
import sys


def c_string(text):
    """Octal escapes only: no trigraphs, and no digit can join an escape."""
    out = []
    for byte in text.encode():
        char = chr(byte)
        out.append(char if 32 <= byte < 127 and char not in '"\\?' else '\\%03o' % byte)
    return '"' + ''.join(out) + '"'


rows = []
for path in sorted(sys.argv[2:], key=lambda p: os.path.basename(p)[:-len('.json')]):
    name = os.path.basename(path)[:-len('.json')]
    with open(path, encoding='utf-8') as file:
        text = file.read()
    machine = json.loads(text)
    if machine['name'] != name:
        sys.exit('%s: "name" is %r' % (path, machine['name']))
    lines = '\n'.join('\t\t' + c_string(line) for line in text.splitlines(keepends=True))
    rows.append('\t{ %s, %s,\n%s,\n\t\t%d },\n'
                % (c_string(name), c_string(machine['title']), lines, len(text.encode())))

with open(sys.argv[1], 'w', encoding='utf-8') as out:
    out.write('/* Made from share/machines by embed-presets.py. */\n'
              '#include "machine/presets.h"\n\n'
              'const struct preset presets[] = {\n%s};\n'
              'const uint32_t nr_presets = %d;\n' % (''.join(rows), len(rows)))
