/* SPDX-License-Identifier: MIT
 * Parsers side by side, on the messages of tests/bench/messages. */

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { make, printed, root, told } from '../../common/start.mjs';
import { writeStream } from '../stream.mjs';
import { countMeasured, programs } from './instructions.mjs';

/** `name` is that of the program; `header` and `package` are Debian's. The first one is ours. */
export const parsers = [
	{ name: 'quash', words: 'quash' },
	{ name: 'jsmn', words: 'jsmn', header: 'jsmn.h', package: 'libjsmn-dev' },
	{ name: 'cjson', words: 'cJSON', header: 'cjson/cJSON.h', package: 'libcjson-dev' },
	{ name: 'yajl', words: 'yajl', header: 'yajl/yajl_parse.h', package: 'libyajl-dev' },
	{ name: 'json_c', words: 'json-c', header: 'json-c/json.h', package: 'libjson-c-dev' },
	{ name: 'jansson', words: 'jansson', header: 'jansson.h', package: 'libjansson-dev' },
];

const folder = join(root, 'tests/bench/messages');

/** Each file of messages, the stream last: { name, file, bytes }. */
export const messages = [...readdirSync(folder).sort().map((name) => join(folder, name)), writeStream(join(root, 'build/bench/6_stream.ndjson'))]
	.map((file) => ({ name: basename(file), file, bytes: statSync(file).size }));

/** The version that Debian names, or null when the package is not installed. */
export function versionOf({ package: name }) {
	const { status, stdout } = told('dpkg-query', ['-W', '-f', '${Version}', name]);
	return status === 0 && stdout !== '' ? stdout.replace(/[-+].*/, '') : null;
}

export const isThere = ({ header }) =>
	!header || told('gcc', ['-E', '-'], { input: `#include <stddef.h>\n#include <${header}>\n`, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;

export function buildParser({ name }) {
	make(`build/host/tests/bench/host/parsers/parse_${name}`);
}

const program = ({ name }) => join(programs, 'parsers', `parse_${name}`);

/** A file, read in so many rounds: what was found, and the nanoseconds of each. */
function read(parser, { file }, rounds) {
	const [found, took] = printed(program(parser), [file, `${rounds}`]).split('\n');
	return { found, nanoseconds: took.split(' ').slice(1).map(Number) };
}

/** All find the same in the same messages. */
function checkFound(list) {
	for (const message of messages) {
		const found = new Set(list.map((parser) => read(parser, message, 1).found));
		assert.equal(found.size, 1, `${message.name}: ${[...found].join('; ')}`);
	}
}

/** Name -> { instructions: [for a byte of each file], speed: megabytes a second, of the file with most messages, at best }. They
 * read in turn, so many rounds. */
export function measureParsers(list, rounds) {
	checkFound(list);
	const stream = messages.at(-1);
	const took = new Map(list.map(({ name }) => [name, []]));
	for (let round = 0; round < rounds; round++)
		for (const parser of list) took.get(parser.name).push(...read(parser, stream, 5).nanoseconds);
	return new Map(list.map((parser) => [parser.name, {
		instructions: messages.map(({ file, bytes }) => countMeasured([program(parser), file]) / bytes),
		speed: 1000 * stream.bytes / Math.min(...took.get(parser.name)),
	}]));
}
