/* SPDX-License-Identifier: MIT
 * docs/tutorial.md, the README and docs/examples.md, followed word by word beside the source archive and nothing else: their files
 * are written, their commands are typed, and they print what the pages show. Packages of Debian are not installed. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../common/runner.mjs';
import { started } from '../common/start.mjs';
import { awaited } from '../common/waits.mjs';
import { blocksOf } from '../readme/blocks.mjs';
import { server } from '../readme/server.mjs';
import { emptyFolder, putArchive } from './archives.mjs';
import { testWith } from './tools.mjs';

/* A command with the lines that it prints, `^C` where Ctrl-C is typed. */
const commandsIn = (text) => text.split(/^\$ /m).slice(1).map((part) => {
	const [command, ...shown] = part.trimEnd().split('\n');
	return { command, shown };
});

/* What a terminal shows of a command; the group of its processes gets Ctrl-C. */
async function typed(t, cwd, { command, shown }) {
	const child = started(t, ['sh', '-c', command.includes('&&') ? `{ ${command}; } 2>&1` : `exec ${command} 2>&1`], { cwd, stdio: ['ignore', 'pipe', 'ignore'], group: true });
	const stop = shown.indexOf('^C');
	if (stop > 0) {
		await until(shown[stop - 1], () => child.said.includes(`${shown[stop - 1]}\n`));
		process.kill(-child.pid, 'SIGINT');
	}
	await awaited(`the end of ${command}`, child.ended);
	return child.said;
}

/* How long an answer took differs. QEMU has a line of its own, and so has what `make` compiles. */
const comparable = (lines) => lines.filter((line) => line !== '^C' && line !== '' && !/^Timer with period zero|^ {2}(CC|LD|AR|RAM|JOIN) /.test(line))
	.map((line) => line.replace(/after \d+ ms/, 'after 0 ms'));

/* What is printed, as the page may show it: in any folder, and without what has come before Ctrl-C was pressed. */
const asShown = (text, home, shown) => comparable(text.replaceAll(home, 'FOLDER').split('\n'))
	.filter((line) => !shown.includes('^C') || shown.includes(line) || !/^progress /.test(line));

/* A text with the lines that a block adds and removes. What it has of the text stands there once. */
function changed(text, block) {
	const lines = (signs) => block.split(/^/m).filter((line) => signs.includes(line[0])).map((line) => line.slice(1)).join('');
	assert.equal(text.split(lines(' -')).length, 2, `what stands there once: ${lines(' -')}`);
	return text.replace(lines(' -'), () => lines(' +'));
}

/* Writes the file of a block, or changes it. */
function written(path, { language, text }) {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, language === 'diff' ? changed(readFileSync(path, 'utf8'), text) : text);
}

/* Types the commands of blocks and writes their files, in a folder or in the one that a command goes to; returns that. */
async function followed(t, blocks, begin) {
	let folder = begin;
	for (const block of blocks) {
		const { file, text } = block;
		if (file) {
			written(join(folder, file), block);
			continue;
		}
		for (const line of commandsIn(text)) {
			if (line.command.startsWith('sudo ')) continue;
			const [, into] = /^cd (\S+)$/.exec(line.command) ?? [];
			if (into) folder = join(folder, into);
			else assert.deepEqual(asShown(await typed(t, folder, line), begin, line.shown), comparable(line.shown), line.command);
		}
	}
	return folder;
}

testWith('arm-none-eabi-gcc', 'qemu-system-arm', 'g++')('the tutorial, the README and the examples, from the archive to the emulated board, in C and in C++11', async (t) => {
	const above = emptyFolder(t);
	putArchive('source', above);
	const tree = await followed(t, blocksOf('docs/tutorial.md'), above);
	assert.notEqual(tree, above);
	const session = blocksOf('README.md').filter(({ language, text }) => language === '' && text.startsWith('$ '));
	assert.equal(session.length, 1);
	await followed(t, [{ file: 'motor.c', text: server }, ...session], tree);
	await followed(t, blocksOf('docs/examples.md'), tree);
});
