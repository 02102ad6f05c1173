/* SPDX-License-Identifier: MIT
 * The pair quash.c, quash.h: the page's commands build the page's program from it alone. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { textsOf } from '../readme/blocks.mjs';
import { emptyFolder, pageOf, putArchive, run, unpack } from './archives.mjs';
import { cancel, clientTest, clientTestWith, legacyFlavour, Session, textOf } from './client.mjs';
import { servesHosts } from './hosts-served.mjs';
import { motorStops } from './motors.mjs';
import { namesItsFault, withWrongName } from './refused.mjs';
import { testWith } from './tools.mjs';

/** The page's commands, run in an empty folder with the archive and the page's program. */
function builtAsThePageSays(t, edited = (program) => program) {
	const page = pageOf(unpack('pair', emptyFolder(t)));
	const folder = emptyFolder(t);
	const [commands] = textsOf(page, 'sh');
	assert.equal(commands.trim().split('\n').length, 3);
	putArchive('pair', folder);
	writeFileSync(join(folder, 'main.c'), edited(textsOf(page, 'c')[0]));
	run('sh', ['-e', '-c', commands], { cwd: folder });
	return folder;
}

test('the archive holds two files, a page and a license', (t) => {
	assert.deepEqual(readdirSync(unpack('pair', emptyFolder(t))).sort(), ['LICENSE', 'README.md', 'quash.c', 'quash.h']);
});

clientTest('the page\'s commands build its program, and the official client calls and cancels its tool', async (t) => {
	const session = await Session.open(t, legacyFlavour, { program: [join(builtAsThePageSays(t), 'lamp')] });
	assert.equal(session.client.getServerVersion().name, 'lamp');
	assert.deepEqual((await session.client.listTools()).tools.map(({ name }) => name), ['blink']);
	assert.equal(textOf(await session.call('blink', { times: 2 })), 'blinked');
	assert.equal((await cancel(session, 'blink', { times: 1000 })).total, 2000);
	assert.equal(textOf(await session.call('blink', { times: 1 })), 'blinked');
	await session.close();
});

/* The page's program with its config known, as the page has it under *The least flash*. */
function builtWithConfigKnown(t) {
	const page = pageOf(unpack('pair', emptyFolder(t)));
	const folder = emptyFolder(t);
	putArchive('pair', folder);
	run('unzip', ['-q', ...readdirSync(folder).filter((name) => name.endsWith('.zip'))], { cwd: folder });
	const [program] = textsOf(page, 'c');
	const [, least] = readFileSync(page, 'utf8').split('## The least flash');
	const [, command] = /`(cc [^`]*)`/.exec(least);
	writeFileSync(join(folder, 'main.c'), `#define QUASH_THE_CONFIG lamp\n${program.replace('QUASH_MCP_DEVICE(config', 'QUASH_MCP_DEVICE(lamp')
		.replace('&config', '&lamp')}\n#include "quash.c"\n`);
	run('sh', ['-e', '-c', command], { cwd: folder });
	return join(folder, 'lamp');
}

test('agent hosts call the tool of the program with its config known', (t) => servesHosts(t, [builtWithConfigKnown(t)], 'blink', { times: 1 }));

/* In place of an LED that blinks, a motor that is on meanwhile, and prints it. */
const withMotor = (program) => program
	.replace('static void set_led(bool on) { (void)on; }', `#include <stdio.h>
static void set_led(bool on)
{
	static bool is;
	if (on != is)
		fputs(on ? "motor on\\n" : "motor off\\n", stderr);
	is = on;
}`)
	.replace('set_led(b->done % 2 == 0)', 'set_led(true)');

test('a motor behind the page\'s program stops at the end of input, by signals, and when its client is killed', (t) =>
	motorStops(t, [join(builtAsThePageSays(t, withMotor), 'lamp')], 'blink', { times: 1000 }));

test('agent hosts call the tool of the page\'s program', (t) => servesHosts(t, [join(builtAsThePageSays(t), 'lamp')], 'blink', { times: 1 }));

test('the page\'s program names what is wrong with its config', (t) =>
	namesItsFault(t, [join(builtAsThePageSays(t, (program) => withWrongName(program, 'blink')), 'lamp')]));

/* --- Sizes */

const arm = ['-mcpu=cortex-m0plus', '-mthumb', '-Os', '-ffreestanding', '-ffunction-sections', '-fdata-sections'];
const noPort = `int main(void)
{
	static quash_peer peer;
	static quash_port port;
	if (!quash_init(&peer, &config, NULL))
		return 1;
	for (;;) {
		quash_pump(&peer, &port);
		quash_step(&peer);
	}
}
`;

testWith('arm-none-eabi-gcc')('the sizes of the page are those of a linked image', (t) => {
	const folder = unpack('pair', emptyFolder(t));
	const page = readFileSync(pageOf(folder), 'utf8');
	writeFileSync(join(folder, 'server.c'), textsOf(pageOf(folder), 'c')[0].replace(/^\/\* --- The port[^]*/m, noPort));
	const sizeOf = (program) => {
		run('arm-none-eabi-gcc', [...arm, '-I.', program, 'quash.c', '-nostdlib', '-Wl,--gc-sections', '-Wl,-e,main', '-lc', '-lgcc', '-o', 'image'], { cwd: folder });
		return Number(run('arm-none-eabi-size', ['image'], { cwd: folder }).split('\n')[1].trim().split(/\s+/)[0]);
	};
	const shown = (row) => Number(page.match(new RegExp(`^\\| ${row} \\| ([\\d,]+) \\|`, 'm'))[1].replace(',', ''));
	const thousands = (bytes) => Math.round(bytes / 1000) * 1000;
	assert.equal(thousands(sizeOf(join(root, 'tests/size/two_way.c'))), shown('one plain method'));
	assert.equal(thousands(sizeOf('server.c')), shown('the program above, without its port'));
	const peer = Number(page.match(/a `quash_peer` of about (\d+) bytes/)[1]);
	writeFileSync(join(folder, 'peer.c'), `#include "quash.h"\nint fits[(sizeof(quash_peer) + 50) / 100 * 100 == ${peer} ? 1 : -1];\n`);
	run('arm-none-eabi-gcc', [...arm, '-c', 'peer.c'], { cwd: folder });
});

/* --- The other byte order */

clientTestWith('qemu-ppc', 'powerpc-linux-gnu-gcc')('the page\'s program answers on a big-endian processor', async (t) => {
	const folder = unpack('pair', emptyFolder(t));
	writeFileSync(join(folder, 'main.c'), textsOf(pageOf(folder), 'c')[0]);
	run('powerpc-linux-gnu-gcc', ['-static', 'main.c', 'quash.c', '-o', 'lamp'], { cwd: folder });
	const session = await Session.open(t, legacyFlavour, { program: ['qemu-ppc', join(folder, 'lamp')] });
	assert.equal(textOf(await session.call('blink', { times: 2 })), 'blinked');
	await cancel(session, 'blink', { times: 1000 });
	await session.close();
});
