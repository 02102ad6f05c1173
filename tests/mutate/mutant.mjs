/* SPDX-License-Identifier: MIT
 * A mutant: one source file with one place changed, and a test program that is linked with it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const shape = /^(?<name>\S+)\n(?<title>[^\n]+)\nin: (?<file>\S+\.c)\n(?<found>(?:found by: \S+ [^\n]+\n)+)find:\n(?<find>[^]+?)\nput:\n?(?<put>[^]*)$/;

/** The mutants of a table like planted.txt. */
export function readMutants(text) {
	const [, ...entries] = text.replace(/^# .*\n/gm, '').split(/^== /m);
	return entries.map((entry) => {
		const found = shape.exec(entry);
		if (!found) throw new Error(`no mutant: ${entry.split('\n')[0]} needs a title, "in:", "found by:", "find:" and "put:"`);
		const foundBy = [...found.groups.found.matchAll(/^found by: (?<finder>\S+) (?<what>.+)$/gm)].map(({ groups }) => groups);
		return { ...found.groups, foundBy };
	});
}

/** The one file of that base name under a folder. */
export function oneFile(folder, name) {
	const paths = readdirSync(folder, { recursive: true }).filter((path) => basename(path) === name);
	if (paths.length !== 1) throw new Error(`${paths.length} files under ${folder} are named ${name}`);
	return join(folder, paths[0]);
}

/* A text as a pattern: how its lines are broken and indented does not matter, so that a formatter takes no mutant its place. */
const asPattern = (text) => text.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|\/]/g, '\\$&')).join('\\s+');

/** The text with the mutant's change, whose place must stand there once. */
export function mutated(text, { find, put, file }) {
	const place = new RegExp(asPattern(find), 'g'), times = [...text.matchAll(place)].length;
	if (times !== 1) throw new Error(`its text stands ${times} times in ${file}`);
	return text.replace(place, () => put.trim());
}

export function sh(command) {
	const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', maxBuffer: 1 << 26 });
	if (status !== 0) throw new Error(`${command}\n${stderr}`);
	return stdout;
}

const commandsOf = new Map();

/** The command for what make makes beside its place, and moves there. */
export const inPlace = (line) => line.replace(/\.\$\$(\.o)? && mv .*$/, '').replace(/ -MF \S+ -MT \S+ /, ' ');

/** How make builds a goal: the command for each file that it makes with `-o`. */
export function commandsFor(goal) {
	if (!commandsOf.has(goal)) {
		const lines = sh(`make --no-print-directory -nB V=1 ${goal}`).split('\n').map(inPlace);
		commandsOf.set(goal, new Map(lines.map((line) => [/ -o (\S+)$/.exec(line)?.[1], line]).filter(([path]) => path)));
	}
	return commandsOf.get(goal);
}

/** The command with another output; what stands beside the output is made beside the new one. */
const redirected = (command, from, to) => command.replaceAll(from, to);

/** Compiles a source with the mutant's change, or as it is without one; returns the object's path. */
export function compile(commands, source, folder, mutant) {
	const object = [...commands.keys()].find((path) => path.endsWith(`/${source.replace(/\.c$/, '.o')}`));
	if (!object) throw new Error(`nothing is made of ${source}`);
	const text = readFileSync(source, 'utf8');
	const copy = join(folder, basename(source)), out = copy.replace(/\.c$/, '.o');
	mkdirSync(folder, { recursive: true });
	writeFileSync(copy, mutant ? mutated(text, mutant) : text);
	sh(`${redirected(commands.get(object), object, out).replace(` ${source} `, ` ${copy} `)} -w -iquote ${dirname(source)}`);
	return out;
}

/** Links the program of that base name with the object of a source: in the place of the program's own, or in front of the library,
 * so that the library's own is not taken. */
export function link(commands, name, folder, object, source) {
	const made = [...commands.keys()].filter((path) => path.endsWith(`/${name}`));
	if (made.length !== 1) throw new Error(`make makes ${made.length} programs named ${name}`);
	const [program] = made, out = join(folder, name);
	const command = redirected(commands.get(program), program, out).replaceAll(`${out}.o`, `${program}.o`);
	const own = command.split(' ').find((word) => word.endsWith(`/${source.replace(/\.c$/, '.o')}`));
	sh(own ? command.replace(` ${own} `, ` ${object} `) : command.replace(/ (\S+\.a) /, ` ${object} $1 `));
	return out;
}
