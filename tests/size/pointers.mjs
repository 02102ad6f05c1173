/* SPDX-License-Identifier: MIT
 * Calls through pointers: which of them there are, by type, and where those lead that the library's own tables fill. */

import { readFileSync, readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';

/** Tables of the library: the functions that may be called are those in its constants of that type, but for those of a file. */
const tables = [
	[/\bbatch->(\w+)\(/g, 'quash_batch_code'],
	[/\bframing->(\w+)\(/g, 'quash_framing_code'],
	[/\b(?:calls|quash_calls_of\([\w>-]+\))->(\w+)\(/g, 'quash_call_hooks', 'src/mcp/mcp_input.c'], /* in place of those of src/call */
	[/\bcode->(\w+)\(/g, 'quash_keep_code'],
	[/\b(?:quash_mcp_)?keeps(?:->|\.)(list)\(/g, 'quash_keeps'],
	[/\bout\.message->(\w+)\(/g, 'quash_message_code'],
	[/\bkind->(\w+)\(/g, 'quash_mcp_kind', 'src/mcp/mcp_input.c'], /* docs/measured.md says what a program with it needs besides */
	[/\bmachine->(\w+)\(/g, 'quash_mcp_machine'],
	[/\btype->(\w+)\(/g, 'quash_param_type', 'src/mcp/mcp_schema.c'],
	[/\binner->(\w+)\(/g, 'quash_param_type', 'src/mcp/mcp_schema.c'], /* what stands in a field is of none of its types */
	[/\basks->(\w+)\(/g, 'quash_mcp_modern_asks'],
	[/\bmodern->(\w+)\(/g, 'quash_mcp_modern_code'],
	[/\bleases->(\w+)\(/g, 'quash_lease_code'],
	[/\bclosed->(\w+)\(/g, 'quash_mcp_closed_code'],
	[/\bfaults->(\w+)\(/g, 'quash_fault_code'],
	[/\breasons->(\w+)\(/g, 'quash_reason_code'],
];

/** Pointers that hold functions handed over where others are called: those are the functions that may be called. */
const handed = [
	[/\bchange\(/g, 'quash_batch_code', /\bfor_each_member\(\w+, (\w+)\)/g],
	[/\bis\(call\)/g, 'quash_call_hooks', /\bquash_call_first\(\w+, (\w+)\)/g],
	[/\bunfit\(/g, 'quash_mcp', /\bquash_mcp_bind\(\w+, [\w>-]+, (\w+)\)/g],
	[/\bdialect->words\(/g, 'quash_dialect', /\.words = (\w+),/g],
	[/\bput_items\(/g, 'quash_put_items', /\bput_items = (\w+);/g],
	[/\btake\(to/g, 'take_bytes', /\btake_\w+\((sip_take|put_base64|count_bytes),/g],
];

/** Functions of the program, which its stack adds: what they are. */
const programs = [
	[/\bmethod->handler\(|\bhandler\(request\)|method_of\(request\)->handler\(/g, 'quash_handler: a method\'s handler'],
	[/\b\w+->released\(/g, 'released: what gives a request\'s things back'],
	[/\bcheck\(c/g, 'quash_check: what a profile needs of a config'],
	[/\bquash_config_of\(peer\)->new_session\(/g, 'quash_config.new_session: what a profile forgets'],
	[/\bput_hop\(/g, 'quash_rewrite.put_hop: members of a hop'],
	[/\bput\.(value|item)\(/g, 'quash_put, quash_put_item: what puts an answer'],
	[/\bmethod->call\(/g, 'quash_lsp_method.call: a method of a language server'],
	[/\bmethod->(?:motion\.)?end\(/g, 'quash_motion.end, quash_lsp_method.end: hooks at a request\'s end'],
	[/\b(?:tool|rule)->(call|(?:motion\.)?end|when)\(/g, 'quash_mcp_tool, quash_mcp_rule: a tool and its hook'],
	[/\bprompt->(get|end)\(/g, 'quash_mcp_prompt: a prompt and its hook'],
	[/\bresource->(read|end)\(/g, 'quash_mcp_resource: a resource and its hook'],
	[/\bc->suggest\(/g, 'quash_mcp_completer: suggestions'],
	[/\bagent->(open|close|end)\(|->prompt\(/g, 'quash_acp_agent: sessions and turns'],
	[/\bserver->(initialized?)\(/g, 'quash_lsp_server: the start of a session'],
	[/\b(?:call\.|->)close\(/g, 'quash_lsp_slot: the end of a long reply of our own'],
	[/\brewrite->(param|result)\(/g, 'quash_rewrite: what changes requests and results on their way'],
	[/\bport->(peek|take|write|now)\(/g, 'quash_port: the link and the clock'],
	[/\bquash_config_of\(peer\)->trace\(/g, 'quash_trace: the trace hook'],
	[/\b(?:call->)?put\(/g, 'quash_call_put, quash_mcp_put and their kin: a writer of JSON'],
	[/\bdone\(/g, 'quash_call_done: the end of a call'],
];

const commentless = (text) => text.replace(/\/\*[^]*?\*\//g, '');

/* The members of a struct of function pointers and others, in their order. */
function membersOf(texts, type) {
	for (const text of texts.values()) {
		const body = new RegExp(`struct ${type} \\{([^}]*)\\}`).exec(text)?.[1];
		if (body) return body.split(';').map((line) => /\(\*(\w+)\)/.exec(line)?.[1] ?? /(\w+)\s*$/.exec(line)?.[1]).filter(Boolean);
	}
	throw new Error(`struct ${type} is not found`);
}

/* The functions in constants of a type: member -> [{ file, name }]. */
function functionsIn(texts, type) {
	const members = membersOf(texts, type);
	const found = new Map(members.map((member) => [member, []]));
	for (const [file, text] of texts)
		for (const [, body] of text.matchAll(new RegExp(`\\bconst (?:struct )?${type} \\w+ = \\{([^}]*)\\}`, 'g')))
			body.split(',').map((entry) => entry.trim()).filter(Boolean).forEach((entry, i) => {
				const [, member, name] = /^(?:\.(\w+)\s*=\s*)?(\w+)$/.exec(entry) ?? [];
				if (name && name !== 'NULL') found.get(member ?? members[i]).push({ file, name });
			});
	return found;
}

function readSources(root) {
	const texts = new Map();
	for (const folder of ['include/quash', 'src'])
		for (const name of readdirSync(join(root, folder), { recursive: true }).filter((file) => /\.[ch]$/.test(file)))
			texts.set(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8'));
	return texts;
}

/** Reads what a place `FILE:LINE[:COLUMN]` calls: { targets: [{ file, name, type }], program: what | null }, or null when it
 * is not known. */
export function pointerReader(root) {
	const sources = readSources(root);
	const plain = new Map([...sources].map(([path, text]) => [path, commentless(text)]));
	const filled = new Map(tables.map(([, type]) => [type, functionsIn(plain, type)]));
	const passed = new Map(handed.map(([, , pattern]) => [pattern, [...plain].flatMap(([file, text]) =>
		[...text.matchAll(pattern)].map(([, name]) => ({ file, name })).filter(({ name }) => name !== 'is' && name !== 'change'))]));
	const known = (text) => {
		for (const [pattern, type, calls] of handed)
			if (text.match(pattern) && passed.get(calls).length > 0) return { targets: passed.get(calls).map((target) => ({ ...target, type })), program: null };
		const targets = tables.flatMap(([pattern, type, but]) => [...text.matchAll(pattern)].flatMap(([, member]) =>
			(filled.get(type).get(member) ?? []).filter(({ file }) => file !== but).map((target) => ({ ...target, type }))));
		if (targets.length > 0) return { targets, program: null };
		const program = programs.find(([pattern]) => text.match(pattern))?.[1];
		return program ? { targets: [], program } : null;
	};
	return (place) => {
		const [file, line, column] = place.split(':');
		const lines = sources.get(normalize(file))?.split('\n') ?? [];
		if (column) return known(lines[line - 1]?.slice(column - 1) ?? '');
		/* Without a column the line is any one of a statement. */
		let [from, to] = [line - 1, line - 1];
		while (from > 0 && !/[;{}/]\s*$/.test(lines[from - 1])) from--;
		while (to < lines.length - 1 && !/[;{}]\s*$/.test(lines[to])) to++;
		return known(lines.slice(from, to + 1).join('\n'));
	};
}
