/* SPDX-License-Identifier: MIT
 * Measures the library for one target: flash by file, RAM by struct, and the worst stack of its functions. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { printed, root } from '../common/start.mjs';
import { graphOfAssembler, outsideStack } from './disassembly.mjs';
import * as objects from './objects.mjs';
import { pointerReader } from './pointers.mjs';
import { programsOf, wholesOf } from './programs.mjs';
import { alsoInUse, eightLive, eightLiveNarrow, goalsOf } from './tables.mjs';
import { compilerVersion } from './targets.mjs';

const read = pointerReader(root);

const structs = ['peer', 'word', 'request', 'call', 'counters', 'frame', 'tape', 'envelope', 'config', 'method', 'value', 'writer', 'lex', 'handle', 'port',
	'forwarded', 'mcp_session', 'mcp_slot', 'mcp_tool', 'acp_session', 'acp_slot', 'lsp_session', 'lsp_slot'];

/** The functions whose stack is told, and those of them whose call tree ends at the program's own functions. */
const entries = ['feed', 'tick', 'out', 'sent', 'step', 'pump', 'idle_ms', 'gone', 'cancel', 'reply', 'notify_send', 'put_value', 'get',
	'int32', 'double', 'call_start_for', 'call_cancel', 'call_answer', 'forward_to', 'read_params', 'mcp_tools_call_', 'mcp_tools_list_', 'mcp_initialize_', 'mcp_json',
	'acp_prompt_', 'acp_new_', 'lsp_run_'].map((name) => `quash_${name}`);

const flash = ({ code, constants, data }) => code + constants + data;

function rawGraph(target, folder, paths) {
	return target.family === 'avr' ? graphOfAssembler(folder, objects.modulesIn(folder), paths) : objects.callGraph(folder);
}

/* The graph with calls through pointers in place of `__indirect_call`, as far as they stay within the library. `leaving` are
 * those that do not: what is called -> who calls. */
function resolve(graph, allowed) {
	const resolved = new Map();
	const leaving = new Map();
	const problems = [];
	for (const [title, node] of graph) {
		if (title === '__indirect_call') continue;
		const calls = new Set([...node.calls].filter((callee) => callee !== '__indirect_call'));
		for (const place of node.pointers) {
			const known = read(place);
			if (!known) problems.push(`an unknown call through a pointer: ${title} at ${place}`);
			else if (known.program) leaving.set(known.program, [...(leaving.get(known.program) ?? []), title]);
			for (const { file, name } of known?.targets.filter(allowed) ?? [])
				calls.add(graph.has(`${file}:${name}`) ? `${file}:${name}` : name);
		}
		resolved.set(title, { ...node, calls });
	}
	return { resolved, leaving, problems };
}

/* Twice: alone, and with what the config may name in use, which is reached by pointers. */
function stacks(graph, outside) {
	const known = (title) => outside.get(title) ?? 0;
	const all = resolve(graph, () => true);
	const circle = objects.recursion(all.resolved);
	if (circle) return { rows: [], leaving: all.leaving, problems: [`recursion: ${circle.join(' → ')}`, ...all.problems] };
	const alone = resolve(graph, ({ type, file }) =>
		!['quash_batch_code', 'quash_call_hooks', 'quash_fault_code', 'quash_reason_code'].includes(type) && !/^src\/(call\/|core\/batch)/.test(file)).resolved;
	const unknown = [...all.resolved].flatMap(([title, { calls }]) =>
		[...calls].filter((callee) => all.resolved.get(callee)?.stack == null && !outside.has(callee)).map((callee) => `the stack of ${callee} in ${title}`));
	const rows = entries.filter((name) => graph.get(name)?.stack != null)
		.map((name) => ({ name, alone: objects.deepest(alone, name, known), all: objects.deepest(all.resolved, name, known) }));
	const dynamic = [...graph].filter(([, { stack, kind }]) => stack != null && kind !== 'static').map(([title]) => `stack of unknown size: ${title}`);
	const missing = entries.filter((name) => graph.get(name)?.stack == null).map((name) => `no function is named ${name}`);
	return { rows, leaving: all.leaving, problems: [...all.problems, ...dynamic, ...new Set(unknown), ...missing] };
}

/* type -> bytes */
const live = 'sizeof(quash_peer) + sizeof(quash_word) + sizeof(quash_counters) + 8 * (sizeof(quash_request) + 40) + 40';
const typesOf = (target, folder) => new Map([
	...objects.sizesOf(target, root, folder, [...structs.map((name) => [`quash_${name}`, `sizeof(quash_${name})`]), [eightLive, live]]),
	...objects.sizesOf({ ...target, flags: [...target.flags, '-DQUASH_SIZE_BITS=16', '-DQUASH_COUNT_BITS=16'] }, root, folder, [[eightLiveNarrow, live]]),
]);

/* The library as one file: its path. */
function joined() {
	printed('port/package/join.sh', ['build/size/one-file']);
	return 'build/size/one-file/quash.c';
}

function link(target, folder, outside) {
	const oneFile = join(folder, 'one-file');
	const pair = joined();
	objects.compile(target, root, oneFile, [pair]);
	return { programs: programsOf(target, folder, oneFile), wholes: wholesOf(target, folder, pair, (name) => outside.get(name) ?? 0) };
}

/** { target, compiler, files, programs, wholes, types, needs, rows, leaving, problems } */
export function measure(target) {
	const folder = join(root, 'build/size', target.name);
	rmSync(folder, { recursive: true, force: true });
	objects.compile(target, root, folder, objects.sourcesOf(root));
	const files = objects.modulesIn(folder).map((module) => ({ module, ...objects.sizes(target, folder, module) }));
	const needs = objects.outsideNeeds(target, folder);
	const names = [...new Set(Object.values(needs).flat().map(({ name }) => name))].filter((name) => !/^__do_/.test(name)).sort();
	const paths = objects.pathsOf(root);
	const graph = rawGraph(target, folder, paths);
	objects.addOutsideCalls(target, graph, folder, names, paths);
	const types = typesOf(target, folder);
	const outside = outsideStack(target, root, folder, names);
	const { rows, leaving, problems } = stacks(graph, outside);
	const { programs, wholes } = link(target, folder, outside);
	const strange = needs.others.map(({ module, name }) => `${module} needs ${name} from outside`);
	return {
		target, compiler: compilerVersion(target), files, programs, wholes, types, needs, rows, leaving,
		problems: [...problems, ...strange, ...programs.flatMap((program) => program.problems)],
	};
}

/** The sizes of structs on the machine that measures: { compiler, types }. */
export function measureHost() {
	const host = { prefix: '', flags: [] };
	return { compiler: compilerVersion(host), types: typesOf(host, join(root, 'build/size')) };
}

/** The figures of a target: name -> bytes. Those of files are of one target: what grows on another shows in its programs. */
export function figuresOf({ target, files, programs, wholes, types, rows }) {
	return new Map([
		...(target.name === goalsOf ? files.map((file) => [`flash ${file.module}`, flash(file)]) : []),
		...programs.map(({ name, bytes }) => [`flash ${name}`, bytes]),
		...wholes,
		...[...types].map(([type, bytes]) => [`ram ${type}`, bytes]),
		...rows.flatMap(({ name, alone, all }) => [[`stack ${name}`, alone.bytes], [`stack ${name}${alsoInUse}`, all.bytes]]),
	]);
}
