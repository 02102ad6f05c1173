/* SPDX-License-Identifier: MIT
 * quash-bridge as an extension of a host: port and rate are settings, which may be empty or wrong, and whoever sets them sees no log. So
 * nothing ends it: while the settings mean no device it waits, and answers in its device's place with what to choose. */

import { main as bridge, newEngine } from './bridge.mjs';
import { holderOf } from './holder.mjs';
import { lookAtPorts } from './ports.mjs';
import { wordsOf } from './words.mjs';

const mostWords = 127; /* that a line of the engine keeps */
const decoder = new TextDecoder();

/* A host leaves the name of a setting in place that nobody has set. */
const isSet = (setting) => setting !== undefined && setting.trim() !== '' && !setting.startsWith('${');

/* An engine that has read these words: whether it takes them, and what it has said. */
async function asked(words) {
	let said = '';
	const engine = await newEngine({ print: (fd, bytes) => { said += decoder.decode(bytes); } });
	const code = engine.start(['quash-bridge', ...words]);
	return { engine, code, said };
}

/* What can be chosen, boards first. */
async function choices() {
	const ports = JSON.parse((await asked(['--list', '--json'])).said || '[]'), boards = ports.filter(({ vid }) => vid !== undefined);
	const names = (boards.length > 0 ? boards : ports).map(({ path, product }) => (product ? `${path} (${product})` : path));
	return names.length > 0 ? `choose in the settings: ${names.join(', ')}` : 'no serial port is there: plug the board in';
}

const fit = (text) => (Buffer.byteLength(text) <= mostWords ? text : `${Buffer.from(text).subarray(0, mostWords - 3).toString().replace(/\ufffd$/, '')}...`);

/* Of the log the first line, without its remedy for who writes command lines. */
const refusal = (said) => said.split('\n')[0].replace(/^quash-bridge: (--tty )?/, '').replace(/(; write one|: takes the path).*/, '');

/* The kind of serial devices, for the device that the settings mean when it is opened. */
const ofSettings = (settings) => (kind, _, tells) => ({ ...kind, async open(options, line) {
	await lookAtPorts();
	const { engine, code, said } = await asked(settings);
	const fails = async (why) => line.failed(fit(`${why}; ${await choices()}`));
	if (code >= 0) return said.includes('--baud') ? line.failed(fit(refusal(said))) : fails(refusal(said));
	const { path, trouble, found } = engine.port(0);
	if (trouble !== undefined) return fails(trouble);
	if (found !== undefined) tells(found);
	try {
		return await kind.open({ ...engine.options().devices[0], path }, line);
	} catch (error) {
		return error.code === 'EBUSY' ? line.failed(holderOf(path), true) : fails(wordsOf(error));
	}
} });

export function main([port, baud]) {
	const name = isSet(port) ? port.trim() : 'auto';
	return bridge(['--tty', `the port ${name}`], { serial: ofSettings(['--tty', name, ...(isSet(baud) ? ['--baud', baud.trim()] : [])]) });
}
