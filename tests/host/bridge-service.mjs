/* SPDX-License-Identifier: MIT
 * quash-bridge as a service that starts when a board is plugged in: the unit of systemd and the rule of udev in boards/host/systemd.
 * No unit is installed here: what the unit starts is started by hand, with a board on a pseudo terminal. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, cable, check, folderFor, greet } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { skip, until } from '../common/runner.mjs';
import { root, told } from '../common/start.mjs';

const read = (name) => readFileSync(join(root, 'boards/host/systemd', name), 'utf8');
const unit = read('quash-bridge@.service'), rules = read('60-quash-bridge.rules');
const program = '/usr/local/bin/quash-bridge';

/* --- The unit */

/** The settings of a unit: [section, key, value]. Any other line is an error. */
function settingsOf(text) {
	let section = '';
	return text.split('\n').flatMap((line) => {
		const [, title] = /^\[(Unit|Service|Install)\]$/.exec(line) ?? [];
		const [, key, value] = /^([A-Z][A-Za-z]+)=(\S.*)$/.exec(line) ?? [];
		if (title) section = title;
		else if (section && key) return [[section, key, value]];
		else assert.ok(line === '' || line.startsWith('#'), `no setting: ${line}`);
		return [];
	});
}

const settings = Object.fromEntries(settingsOf(unit).map(([section, key, value]) => [`${section}.${key}`, value]));

/* What systemd puts in place of specifiers in a unit of a user. */
const filledIn = (text, { name, runtime }) => text.replace(/%(.)/g, (whole, letter) => ({ i: name, I: name, t: runtime })[letter] ?? assert.fail(whole));

check('the unit: its lines are settings, and it goes with its device', () => {
	assert.equal(settingsOf(unit).length, Object.keys(settings).length, 'none twice');
	assert.equal(settings['Unit.BindsTo'], 'dev-%i.device');
	assert.equal(settings['Unit.After'], settings['Unit.BindsTo']);
	assert.throws(() => settingsOf('[Service]\nExecStart /bin/true\n'));
	assert.throws(() => settingsOf('[Servce]\nExecStart=/bin/true\n'));
});

/* What systemd complains of in a unit of a user; null: it cannot be asked. */
function complaintsOf(t, text) {
	const folder = folderFor(t);
	const path = join(folder, 'quash-bridge@arm.service');
	mkdirSync(join(folder, 'run'));
	writeFileSync(path, text.replace(program, hostProgram('quash-bridge')));
	const { error, status, stderr } = told('systemd-analyze', ['--user', '--man=no', 'verify', path], { env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run') } });
	return error || /Failed to initialize manager/.test(stderr) ? null : stderr + (status ? `exit code ${status}\n` : '');
}

if (told('systemd-analyze', ['--version']).error) skip('quash-bridge: the unit: systemd has no complaint', 'systemd-analyze is missing');
else check('the unit: systemd has no complaint', (t) => {
	assert.equal(complaintsOf(t, unit), '');
	for (const [from, to] of [['Restart=on-failure', 'Restart=sometimes'], ['TimeoutStopSec', 'TimeoutStop'], ['dev-%i.device', 'dev-%i.devise'], [`ExecStart=${program}`, 'ExecStart=quash/bridge']])
		assert.notEqual(complaintsOf(t, unit.replace(from, to)), '', to);
});

check('the unit: what it starts serves a board, and ends as systemd expects', async (t) => {
	const { link } = await cable(t);
	const runtime = folderFor(t);
	const words = settings['Service.ExecStart'].split(' ').map((word) => filledIn(word.replace('/dev/%I', link), { name: 'arm', runtime }));
	assert.equal(words.shift(), program);
	assert.deepEqual(words.slice(0, 2), ['--tty', link]);
	const service = Bridge.start(t, words);
	const socket = join(runtime, 'quash-arm.sock');
	await until(socket, () => existsSync(socket));
	await service.says(/listening on/);
	assert.equal(statSync(socket).mode & 0o777, 0o600, 'its user alone');
	const editor = Bridge.start(t, ['--unix', socket]);
	assert.equal((await greet(editor.client)).serverInfo.name, 'quash-toolbox');
	service.signal('SIGTERM');
	await service.exits(Number(settings['Service.SuccessExitStatus']));
	await Bridge.start(t, ['--nonsense']).exits(Number(settings['Service.RestartPreventExitStatus']));
});

/* --- The rule */

const compared = ['==', '!='], assigned = ['=', '+=', '-=', ':='];
const operators = { ACTION: compared, SUBSYSTEM: compared, KERNEL: compared, ATTRS: compared, SYMLINK: [...compared, ...assigned], TAG: [...compared, ...assigned], ENV: [...compared, ...assigned] };
const withAttribute = ['ATTRS', 'ENV'];

/** The parts of a rule: { key, attribute, operator, value }. Anything else is an error. */
function partsOf(rule) {
	const parts = [...rule.matchAll(/([A-Z]+)(?:\{([A-Za-z_]+)\})?(==|!=|\+=|-=|:=|=)"([^"]*)"(, |$)/gy)]
		.map(([, key, attribute, operator, value]) => ({ key, attribute, operator, value }));
	assert.equal(parts.map(({ key, attribute, operator, value }) => `${key}${attribute ? `{${attribute}}` : ''}${operator}"${value}"`).join(', '), rule);
	for (const { key, attribute, operator } of parts) {
		assert.ok(operators[key]?.includes(operator), `${key}${operator}`);
		assert.equal(attribute !== undefined, withAttribute.includes(key), key);
	}
	return parts;
}

const lines = rules.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

check('the rule: keys and operators that udev has, in an order that matches first', () => {
	assert.equal(lines.length, 1);
	const parts = partsOf(lines[0]);
	const compares = parts.map(({ operator }) => compared.includes(operator));
	assert.deepEqual(compares, [...compares].sort((a, b) => b - a), 'what it changes follows on what it compares');
	assert.ok(parts.some(({ key, value }) => key === 'SUBSYSTEM' && value === 'tty'));
	assert.deepEqual(parts.filter(({ key }) => key === 'ATTRS').map(({ attribute, value }) => [attribute, /^[0-9a-f]{4}$/.test(value)]), [['idVendor', true], ['idProduct', true]]);
	for (const wrong of ['SUBSYSTEM=="tty" TAG+="systemd"', 'SUBSYSTEM="tty"', 'SUBSYTEM=="tty"', 'ATTRS=="a"', 'TAG{a}+="b"', 'TAG+=systemd', 'TAG+="systemd",'])
		assert.throws(() => partsOf(wrong), wrong);
});

check('the rule: it names the device, and starts the unit of that name', () => {
	const parts = partsOf(lines[0]);
	const valueOf = (key, attribute) => parts.find((part) => part.key === key && part.attribute === attribute)?.value;
	assert.ok(parts.some(({ key, operator, value }) => key === 'TAG' && operator === '+=' && value === 'systemd'), 'systemd sees the device');
	assert.equal(valueOf('ENV', 'SYSTEMD_USER_WANTS'), `quash-bridge@${valueOf('SYMLINK')}.service`);
});
