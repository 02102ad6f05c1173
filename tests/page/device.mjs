/* SPDX-License-Identifier: MIT
 * Devices that the tests of the page play: node device.mjs NAME. Each is a server of MCP on stdin and stdout. `move` goes on until it is
 * cancelled, with progress. */

import { fileURLToPath } from 'node:url';
import { onStdio, playing, wellBehaved } from '../common/device.mjs';

const text = (words, more = {}) => ({ content: [{ type: 'text', text: words }], ...more });

/** What would do harm where it is read as markup. Each trips a wire that the tests have laid. */
export const markup = ['<img src=x onerror=trip("img")>', '"><script>trip("script")</script>', '\'"--><svg onload=trip("svg")>', '<iframe srcdoc="<script>parent.trip(1)</script>">',
	'<a href="javascript:trip(2)">a</a>', '</pre></bdi></form><style>#stop{display:none}</style>', '{{trip(3)}}', '<meta http-equiv=refresh content="0;url=about:blank">'];

/** What would stand elsewhere than it was written, or cannot be seen, and how a person sees it. */
export const unseen = [['left\u202ethgir', 'left\\u{202e}thgir'], ['zero\u200bwidth', 'zero\\u{200b}width'], ['bell\u0007\u001b[31m', 'bell\\u{7}\\u{1b}[31m'], ['mark\u2066\ufeff', 'mark\\u{2066}\\u{feff}']];

/** Names that objects and forms have themselves. */
export const ownNames = ['__proto__', 'constructor', 'toString', 'addEventListener', 'append', 'remove', 'replaceWith', 'submit', 'elements', 'querySelector', 'id', 'length',
	'parentNode', 'nodeName', 'hasOwnProperty', 'children'];

const deep = (depth) => (depth === 0 ? { type: 'string' } : { type: 'object', properties: { down: deep(depth - 1) }, required: ['down'] });
const own = (pairs) => JSON.parse(`{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`);
const objectOf = (properties, more = {}) => ({ type: 'object', properties, ...more });

/** Schemas that a reader may break on. */
export const schemas = {
	deep: deep(13), /* in a list, as deep as the engine takes it */
	far: objectOf({ a: { $ref: 'http://127.0.0.1:9/schema.json' }, b: { $ref: '#/$defs/b' } }, { $defs: { b: { $ref: '#/$defs/b' } }, $ref: '#' }),
	endless: objectOf({ word: { type: 'string', pattern: '^(a+)+$', description: `in ${'a'.repeat(300)}!` } }, { required: ['word'] }),
	names: objectOf(own(ownNames.map((name) => [name, { type: 'string' }]))),
	big: objectOf({ choice: { enum: Array.from({ length: 20000 }, (_, i) => `choice ${i}`) }, text: { type: 'string', description: 'x'.repeat(700000) } }),
	odd: objectOf({ a: { type: ['integer', 'null'], minimum: 'low', maximum: null }, b: { enum: [null, {}, []] }, c: 7, d: { type: 'integer', minimum: 5, maximum: -5, default: 'x' },
		e: { type: 'number', minimum: -1e308, maximum: 1e308 }, f: { type: 'string', default: { a: 1 } } }, { required: 'all' }),
	none: null,
};

const any = { type: 'object' };
const move = { name: 'move', description: 'Goes on until it is cancelled', inputSchema: any };

const hostileTools = [
	...markup.map((name, i) => ({ name, title: markup[(i + 1) % markup.length], description: name + markup.join(' '), inputSchema: objectOf({ [name]: { type: 'string', description: name, title: name, default: name },
		choice: { enum: markup } }, { required: [name] }) })),
	...unseen.map(([name]) => ({ name, description: name, inputSchema: objectOf({ [name]: { type: 'string' } }) })),
	...ownNames.slice(0, 3).map((name) => ({ name, inputSchema: any })),
	...Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema })),
	{ name: 7 }, null, { inputSchema: any },
	move,
];

const harm = markup.join(' ') + unseen.map(([one]) => one).join(' ');
const noText = { toString: 1, valueOf: 1 }; /* which no function makes a text of */
const hostileResult = () => ({ content: [{ type: 'text', text: harm }, { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from('<svg onload="trip(4)"/>').toString('base64') },
	{ type: 'image', mimeType: 'image/png', data: '" onerror="trip(5)' }, { type: 'resource_link', name: harm, uri: 'javascript:trip(6)' }, { type: 'resource', resource: { uri: 'x:', text: harm } }, { type: harm }, null, 7,
	{ type: 'text', text: noText }, { type: 'resource_link', name: noText, uri: noText }],
structuredContent: own([['__proto__', { tripped: true }], [markup[0], markup[1]], ['nested', deep(13)]]) });

let line;
const moving = new Map(); /* the id of a call: what ends its progress */

function startMoving({ id, params }, message = () => undefined) {
	let progress = 0;
	const progressToken = params._meta?.progressToken;
	moving.set(id, setInterval(() => line.notify('notifications/progress', { progressToken, progress: ++progress, total: 100000, message: message() }), 50));
}

function cancel({ params: { requestId } }) {
	clearInterval(moving.get(requestId));
	moving.delete(requestId);
}

const calls = {
	move: (message) => startMoving(message),
	/* So many log messages, and then its result. */
	flood: ({ params }) => {
		for (let n = 1; n <= params.arguments.lines; n++) line.notify('notifications/message', { level: 'info', data: `line ${n}` });
		return text('flooded');
	},
	/* What it was told is its result. */
	ask: (message) => {
		const properties = { name: { type: 'string', title: 'Your name' }, height: { type: 'integer', minimum: 0, maximum: 100 }, sure: { type: 'boolean' }, colour: { type: 'string', enum: ['red', 'green'] }, year: { type: 'integer' } };
		const id = line.ask('elicitation/create', { message: 'Who are you?', requestedSchema: objectOf(properties, { required: ['name', 'height', 'year'] }), _meta: { 'quash/request': message.id } }, `question ${message.id}`);
		line.answerTo(id).then(({ result }) => line.answer(message, text(JSON.stringify(result))));
	},
	refuse: () => text('level: must be an integer from 1 to 9', { isError: true }),
};

const named = (name, properties = {}, required = undefined) => ({ name, inputSchema: objectOf(properties, required && { required }) });

const serving = (tools, more = {}) => ({ 'tools/list': () => ({ tools }), 'tools/call': (message) => calls[message.params.name]?.(message), 'notifications/cancelled': cancel, ...more });

/* Ten thousand tools, of which the first moves. */
const crowd = [move, ...Array.from({ length: 9999 }, (_, i) => named(`tool_${i}`, { level: { type: 'integer', minimum: 0, maximum: 9 } }))];

const devices = {
	hostile: serving(hostileTools, {
		initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {}, logging: {}, resources: {} }, serverInfo: { name: harm, version: markup[0] }, instructions: harm }),
		'resources/list': () => ({ resources: markup.map((name) => ({ name, uri: `javascript:${name}`, description: name })) }),
		'tools/call': (message) => {
			for (const data of [...markup, ...unseen.map(([one]) => one), harm]) line.notify('notifications/message', { level: 'info', logger: data, data });
			if (message.params.name === 'move') startMoving(message, () => harm);
			else if (message.params.name === '__proto__') line.refuse(message, -32000, harm, { [markup[0]]: harm });
			else if (message.params.name === 'constructor') return text(harm, { isError: true });
			else return hostileResult();
			return undefined;
		},
	}),
	/* In pages of 500. */
	crowd: serving([], { 'tools/list': ({ params }) => {
		const from = Number(params?.cursor ?? 0), to = from + 500;
		return { tools: crowd.slice(from, to), ...(to < crowd.length ? { nextCursor: `${to}` } : {}) };
	} }),
	deep: serving([{ name: 'dive', inputSchema: deep(40) }]),
	many: serving([...Array.from({ length: 63 }, (_, i) => named(`tool_${i}`)), move]),
	asking: serving([named('ask'), move]),
	talking: serving([named('flood', { lines: { type: 'integer', minimum: 1, maximum: 100000 } }, ['lines']), move]),
	refusing: serving([named('refuse', { level: { type: 'integer', minimum: 1, maximum: 9 } }, ['level'])]),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	line = playing(onStdio('mcp'), { ...wellBehaved.mcp, ...devices[process.argv[2]] });
	process.stdin.on('end', () => process.exit());
}
