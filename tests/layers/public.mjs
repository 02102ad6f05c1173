/* SPDX-License-Identifier: MIT
 * What a header offers to a program: the names of its functions, macros and members. A name that ends with _ is for other macros of the
 * headers and for the library's own sources, and is none of these. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bare, withoutDirectives } from './source.mjs';

/* What the sources of ports share. */
const forSources = ['posix_system.h', 'posix_serve_inner.h', 'rtos.h', 'rtos_uart.h', 'quash_esp_time.h', 'quash_esp_config.h', 'quash_texts.h'];
const folders = ['port', 'port/posix', 'port/arduino/src', 'port/rtos', 'port/esp-idf', 'port/lwip', 'port/uart', 'port/usb', 'port/pico'];

const all = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
const isForPrograms = (name) => !name.endsWith('_');

/** The headers of ports that programs include, by path. */
export const headersOfPorts = (root) => folders.flatMap((folder) => readdirSync(join(root, folder))
	.filter((name) => name.endsWith('.h') && !forSources.includes(name)).map((name) => join(folder, name)));

/** Functions, also those that are declared by their type. */
export function functionNames(text) {
	const code = withoutDirectives(text);
	return [...new Set([
		...all(code, /^(?!typedef|extern|constexpr|template)\w[\w* ]*[ *]((?:quash|posix|port|console|rtos|lwip)_\w+)\(/gm),
		...all(code, /^quash_(?:handler|check|mcp_log_data) (\w+);/gm),
	])].filter(isForPrograms);
}

/** Macros, but for guards, and for those of names that have gone, which are an error. */
export function macroNames(text) {
	const lines = [...bare(text).matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n]*\\\n)*[^\n]*)/gm)];
	const gone = new Set(all(text, /^[ \t]*#[ \t]*define[ \t]+(\w+)[^\n]*_is_gone_/gm));
	return [...new Set(lines.map(([, name]) => name))].filter((name) => isForPrograms(name) && !name.endsWith('_H') && !gone.has(name));
}

/** Enumerators. */
export const enumeratorNames = (text) => all(withoutDirectives(text), /\benum\b\s*\w*\s*\{([^}]*)\}/g).flatMap((body) => all(body.replace(/=[^,]*/g, ''), /(\w+)/g))
	.filter((name) => /^[A-Z]/.test(name));

const outermost = /\b(?:struct|union)\b[^;{}()]*\{/g;

/* From behind the brace that opens up to the one that closes. */
function insideOf(code, from) {
	let [depth, at] = [1, from];
	for (; depth > 0 && at < code.length; at++) depth += { '{': 1, '}': -1 }[code[at]] ?? 0;
	return code.slice(from, at - 1);
}

/* Without what C++ alone has. */
function withoutNamespaces(code) {
	const found = /^namespace quash \{/m.exec(code);
	if (!found) return code;
	const from = found.index + found[0].length;
	return code.slice(0, found.index) + withoutNamespaces(code.slice(from + insideOf(code, from).length + 1));
}

/* The last name of each declarator: `int a, *b[3]`, `void (*f)(int a)`. */
function declared(statement) {
	const pointer = /\(\s*\*\s*(?:const\s+)?(\w+)\s*(?:\[[^\]]*\])?\)\s*\(/.exec(statement);
	if (pointer) return [pointer[1]];
	return statement.split(',').map((part) => /(\w+)\s*(?:\[[^\]]*\]\s*)*(?::\s*\d+\s*)?$/.exec(part.trim())?.[1]).filter(Boolean);
}

/** Members of structs and unions. An inner struct with a name is a member as well as its own. */
export function memberNames(text) {
	const code = withoutNamespaces(withoutDirectives(text));
	const names = [];
	let end = 0;
	for (const found of code.matchAll(outermost)) {
		const from = found.index + found[0].length;
		if (from < end) continue;
		const body = insideOf(code, from);
		end = from + body.length;
		const flat = body.replace(/\benum\b[^;{]*\{[^}]*\}/g, 'int').replace(/\b(?:struct|union)\b[^;{}]*\{/g, ';').replace(/\}/g, '; int ');
		for (const statement of flat.split(';')) if (statement.trim() && statement.trim() !== 'int') names.push(...declared(statement));
	}
	return names;
}
