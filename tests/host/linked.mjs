/* SPDX-License-Identifier: MIT
 * What a program does not use is not linked: the maps of the linker say which members of the library are in. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { hostProgram } from '../common/program.mjs';
import { test } from '../common/runner.mjs';

function membersOf(name) {
	const map = `${hostProgram(name)}.map`;
	assert.ok(existsSync(map), `${name} has no map`);
	const [included] = readFileSync(map, 'utf8').split(/^(?:Discarded|Memory|Merging|Linker|There are no)/m);
	const members = [...included.matchAll(/^\S*libquash\.a\((\w+)\.o\)/gm)].map(([, member]) => member);
	assert.ok(members.includes('peer'), 'it is a map');
	return members;
}

const ofMcp = (members) => members.filter((member) => member.startsWith('mcp')).sort();
const tools = ['mcp', 'mcp_check', 'mcp_keep', 'mcp_list', 'mcp_modern', 'mcp_target', 'mcp_tools'];
const parts = ['mcp_ask', 'mcp_completion', 'mcp_listen', 'mcp_logging', 'mcp_part', 'mcp_prompts', 'mcp_read', 'mcp_resources'];

test('toolbox links tools alone, and no calls', () => {
	const members = membersOf('toolbox');
	assert.deepEqual(ofMcp(members), tools);
	assert.deepEqual(members.filter((member) => /^(call|forward)/.test(member)), []);
});

test('gallery links every part', () => {
	assert.deepEqual(ofMcp(membersOf('tests/common/gallery/gallery')), [...tools, ...parts].sort());
});

test('agent links what it asks of its client, and nothing of another profile', () => {
	const members = membersOf('agent');
	assert.ok(['acp_client', 'acp_terminal', 'call'].every((member) => members.includes(member)));
	assert.deepEqual(members.filter((member) => /^(mcp|lsp|forward)/.test(member)), []);
});

test('testee links nothing of a profile', () => {
	assert.deepEqual(membersOf('testee').filter((member) => /^(mcp|acp|lsp)/.test(member)), []);
});

test('testee asks, so calls are in its map, and nobody who hands on', () => {
	const ofCalls = membersOf('testee').filter((member) => /^(call|forward)/.test(member)).sort();
	assert.deepEqual(ofCalls, ['call', 'call_end']);
});

test('bridge hands on', () => {
	const ofCalls = membersOf('quash-bridge').filter((member) => /^(call|forward)/.test(member)).sort();
	assert.deepEqual(ofCalls, ['call', 'call_end', 'forward']);
});
