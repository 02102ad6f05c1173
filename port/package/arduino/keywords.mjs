/* SPDX-License-Identifier: MIT
 * keywords.mjs HEADER...: prints keywords.txt, from which the Arduino IDE takes its colours: types, functions and constants
 * of the headers. What ends with an underscore is not for programs. */

import { readFileSync } from 'node:fs';

const source = process.argv.slice(2).map((file) => readFileSync(file, 'utf8')).join('\n').replace(/\/\*[^]*?\*\/|^private:[^]*?^};/gm, '');
const found = (expression) => [...new Set([...source.matchAll(expression)].map(([, name]) => name))].filter((name) => !/(_|_H)$/.test(name)).sort();

const types = found(/^(?:typedef .*?|} |class )(quash_\w+|Quash\w+)(?:;| {$)/gm);
const functions = found(/^(?!#|typedef|\t)[\w *]*\b(quash_\w+)\(/gm).concat(found(/^#define (quash_\w+)\(/gm), found(/^\t(?!return)\w[\w *]*\b(\w+)\([^;]*\)(?: const)?;$/gm));
const constants = found(/^#define (QUASH_\w+)/gm).concat(found(/^\t(QUASH_\w+)\b/gm));

const rows = (names, kind) => [...new Set(names)].filter((name) => !types.includes(name) || kind === 'KEYWORD1').map((name) => `${name}\t${kind}`);
console.log(['# Made from the headers.', ...rows(types, 'KEYWORD1'), ...rows(functions, 'KEYWORD2'), ...rows(constants, 'LITERAL1')].join('\n'));
