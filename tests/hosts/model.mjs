/* SPDX-License-Identifier: MIT
 * A model on loopback that follows a script, for agent hosts. It speaks what they speak: OpenAI's Responses and chat
 * completions, and Gemini's generateContent, each as a stream of events.
 *
 * A line of the script is a call, `{ tool, args }`. Each request that may call tools is answered with the next one; behind
 * the last one, and for requests without tools, the model answers with a word. Where a host hides its tools behind one that
 * searches, the model searches first. */

import { createServer } from 'node:http';
import { once } from 'node:events';

const closing = 'done';

/* The tools of a request, wherever a host has put them: `name` is what a call must name. Some hosts put those of a server
 * together under a `namespace`. */
function toolsOf(declared, namespace) {
	return (declared ?? []).flatMap((tool) => {
		const inner = tool.functionDeclarations ?? (tool.type === 'namespace' ? tool.tools : null);
		if (inner) return toolsOf(inner, tool.type === 'namespace' ? tool.name : namespace);
		const name = tool.function?.name ?? tool.name ?? tool.type;
		return name ? [{ name, namespace, type: tool.type }] : [];
	});
}

/* A tool that is not declared but named in what the host sends: the model looks for it, and calls it through another. */
function hiddenTurn({ tool, args }, tools, text) {
	const [search, call] = [/tool_?search/i, /tool_?call/i].map((what) => tools.find(({ name }) => what.test(name)));
	if (!search || !call) return null;
	const name = new RegExp(`\\b\\w+__${tool}\\b`).exec(text)?.[0];
	const looked = text.includes(JSON.stringify(search.name).slice(1, -1) + '","arguments');
	return looked ? { tool: call, args: { name, arguments: args } } : { tool: search, args: { query: tool } };
}

/* What the model does in its turn, and how many lines of the script are used then. */
function turnOf(script, at, tools, text) {
	const line = script[at];
	if (!line || !tools.length) return { turn: { text: closing }, at };
	const tool = tools.find(({ name }) => name.endsWith(line.tool));
	if (tool) return { turn: { tool, args: line.args }, at: at + 1 };
	const turn = hiddenTurn(line, tools, text);
	return { turn: turn ?? { text: closing }, at: turn?.args.arguments ? at + 1 : at };
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/* Each gives the events of a stream, by the number of the call; `model` is what the request has asked for. */
const dialects = {
	responses(turn, number) {
		const id = `response_${number}`, status = 'completed';
		const item = turn.tool
			? { type: 'function_call', id: `item_${number}`, call_id: `call_${number}`, name: turn.tool.name, namespace: turn.tool.namespace,
				arguments: JSON.stringify(turn.args), status }
			: { type: 'message', id: `item_${number}`, role: 'assistant', content: [{ type: 'output_text', text: turn.text, annotations: [] }], status };
		return [{ type: 'response.created', response: { id } }, { type: 'response.output_item.added', output_index: 0, item },
			{ type: 'response.output_item.done', output_index: 0, item }, { type: 'response.completed', response: { id, status, output: [item], usage } }];
	},
	chat(turn, number, model) {
		const chunk = (delta, finish_reason = null) => ({ id: `chat_${number}`, object: 'chat.completion.chunk', created: 1, model,
			choices: [{ index: 0, delta, finish_reason }] });
		const call = turn.tool && { index: 0, id: `call_${number}`, type: 'function',
			function: { name: turn.tool.name, arguments: JSON.stringify(turn.args) } };
		return [chunk({ role: 'assistant', ...call ? { content: null, tool_calls: [call] } : { content: turn.text } }),
			chunk({}, call ? 'tool_calls' : 'stop'),
			{ ...chunk({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }];
	},
	gemini(turn, number, model) {
		const part = turn.tool ? { functionCall: { id: `call_${number}`, name: turn.tool.name, args: turn.args } } : { text: turn.text };
		return [{ candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], modelVersion: model,
			usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }];
	},
};

const dialectOf = (path) => (/\/responses$/.test(path) ? 'responses' : /\/chat\/completions$/.test(path) ? 'chat'
	: /:(streamGenerateContent|generateContent)$/.test(path) ? 'gemini' : null);

/* The same without a stream. */
function whole(dialect, events) {
	if (dialect === 'responses') return events.at(-1).response;
	if (dialect === 'gemini') return events[0];
	const [{ choices: [{ delta }], ...first }, { choices: [{ finish_reason }] }, { usage: sum }] = events;
	return { ...first, object: 'chat.completion', choices: [{ index: 0, message: delta, finish_reason }], usage: sum };
}

function reply(response, dialect, streams, events) {
	if (!streams) return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole(dialect, events)));
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const named = (event) => (event.type ? `event: ${event.type}\n` : '');
	for (const event of events) response.write(`${named(event)}data: ${JSON.stringify(event)}\n\n`);
	response.end(dialect === 'chat' ? 'data: [DONE]\n\n' : '');
}

async function bodyOf(request) {
	const pieces = [];
	for await (const piece of request) pieces.push(piece);
	try {
		return JSON.parse(Buffer.concat(pieces));
	} catch {
		return {}; /* compressed telemetry and the like */
	}
}

export class Model {
	/** What hosts have asked for: paths with the names of the tools, and the model's turns. */
	asked = [];
	#at = 0;
	#number = 0;

	/** Starts one on a port of its own, for one test, which ends it. */
	static async start(t, script) {
		const model = new Model(script);
		model.server.listen(0, '127.0.0.1');
		await once(model.server, 'listening');
		t.after(() => {
			model.server.close();
			model.server.closeAllConnections();
		});
		return model;
	}

	constructor(script) {
		this.script = script;
		this.server = createServer((request, response) => this.#serve(request, response).catch((error) => {
			this.asked.push({ error: String(error) });
			response.destroy();
		}));
	}

	get url() {
		return `http://127.0.0.1:${this.server.address().port}`;
	}

	/** The names of all tools that it was shown. */
	get tools() {
		return [...new Set(this.asked.flatMap(({ tools }) => tools ?? []))];
	}

	async #serve(request, response) {
		const body = await bodyOf(request);
		const path = new URL(request.url, this.url).pathname;
		const dialect = request.method === 'POST' ? dialectOf(path) : null;
		const tools = toolsOf(body.tools);
		const entry = { path, tools: tools.map(({ name, namespace }) => `${namespace ?? ''}${name}`), body };
		this.asked.push(entry);
		if (!dialect) return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
		const { turn, at } = turnOf(this.script, this.#at, tools, JSON.stringify(body));
		this.#at = at;
		entry.turn = turn;
		const streams = body.stream || path.endsWith(':streamGenerateContent');
		reply(response, dialect, streams, dialects[dialect](turn, ++this.#number, body.model ?? 'scripted'));
	}
}
