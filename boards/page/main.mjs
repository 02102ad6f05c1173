/* SPDX-License-Identifier: MIT
 * The page: what stands where, and Stop. The module with `beginSide` is served-side.mjs in the page that a bridge serves, and serial-side.mjs in
 * the file (order). */

import { program } from '../wasm/version.mjs';
import { Agent, offersTools } from './agent.mjs';
import { Boards } from './boards.mjs';
import { Calls, ends } from './calls.mjs';
import { byId, element, setText } from './dom.mjs';
import { Lines } from './lines.mjs';
import { Questions } from './questions.mjs';
import { showResources } from './resources.mjs';
import { tableOf } from './result.mjs';
import { beginSide } from './served-side.mjs';
import { counted, shown, shownAge, shownInLine } from './text.mjs';
import { Tools } from './tools.mjs';

const logKinds = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const mostLines = 5000, mostOthers = 50, countMs = 1000;
const version = program.split(' ')[1];

/* --- What was said */

const log = new Lines(byId('log'), mostLines);

const timeNow = () => new Date().toTimeString().slice(0, 8);

function logs(level, text, from = '') {
	const kind = logKinds.includes(level) ? level : 'info';
	log.add(`${timeNow()} ${from ? `${from} ` : ''}${kind}: ${shownInLine(text, 2000)}`, kind);
}

const isNoted = (words) => [...byId('notes').children].some(({ textContent }) => textContent === words);

/* Words that stay in sight, once each. */
function notes(words, kind = '') {
	if (!isNoted(words)) byId('notes').append(element('p', { class: kind, role: kind ? 'alert' : null }, words));
}

function unnotes(words) {
	for (const note of byId('notes').children) if (note.textContent === words) note.remove();
}

let lastWords = '';

/* The state of all, and what was last done. */
function showState() {
	const running = calls.running, words = running > 0 ? `${counted(running, 'call')} running` : lastWords || 'nothing runs';
	setText(byId('state'), words);
	document.title = running > 0 ? `(${running}) quash` : 'quash';
}

function says(words) {
	lastWords = shownInLine(words);
	logs('info', words, 'page');
	showState();
}

/* --- Calls and questions */

const calls = new Calls(byId('calls'), byId('no-calls'), () => showState());
const questions = new Questions(byId('question-list'), (open) => { byId('questions').hidden = open === 0; });

/* Who was stopped by a person elsewhere begins nothing more by itself. */
async function callTool(tool, args, more) {
	const end = await calls.run(tool.name, (call) => side.call(tool, args, call), more);
	if (end.how === ends.stopped && end.words === stoppedElsewhere) endOwn();
	return end;
}

const tools = new Tools({ list: byId('tools'), filter: byId('filter'), more: byId('more-tools'), none: byId('no-tools') }, (tool, args, again) => callTool(tool, args, { again }));
const agent = new Agent((tool, args, signal) => callTool(tool, args, { signal, by: 'by an agent in this browser' }));

/* --- Stop: what this page and its other tabs have, at once; then what others have at the same devices */

const stoppedElsewhere = 'stopped by a person at the page';
let reading = new AbortController(); /* of resources */

/* All that this page has, questions and what is repeated too. Returns how many calls that were. */
function endOwn() {
	tools.stopRepeating();
	reading.abort();
	reading = new AbortController();
	return calls.stopAll();
}

async function stopAll() {
	side.tellTabs();
	const own = endOwn();
	says(`stopped ${counted(own, 'call')} of this page${side.hasOthers ? '; a Stop for all others is on its way' : ''}`);
	if (!side.hasOthers) return;
	try {
		const others = await side.stopOthers(() => notes(stopFailed, 'grave'));
		says(`stopped: ${counted(own, 'call')} of this page, ${counted(others, 'call')} of others`);
		unnotes(stopFailed);
	} catch (error) {
		notes(stopFailed, 'grave');
		logs('error', `Stop has not reached the bridge: ${error.message}`, 'page');
	}
}

const stopFailed = 'Stop has not reached the bridge. The calls of this page were ended; those of other clients may go on. Press Stop again, or switch the device off.';

byId('stop').addEventListener('click', stopAll);
document.addEventListener('keydown', (event) => {
	if (event.key !== 'Escape' || event.isComposing || event.repeat) return;
	event.preventDefault();
	stopAll();
}, { capture: true });

/* --- What the sides show */

const boards = new Boards(byId('boards'));

function otherNode({ client, tool, device, age_ms: age }) {
	return element('li', { 'data-other': tool }, element('div', { class: 'head' }, element('strong', {}, element('bdi', {}, shownInLine(tool, 80))), element('span', { class: 'hint' }, element('bdi', {}, `${shownInLine(client, 80)}${device ? ` at ${shownInLine(device, 40)}` : ''}`)), element('span', { class: 'age' }, shownAge(Number(age) || 0))));
}

const noTools = 'There are none yet.';
const unreached = 'The bridge does not answer. What it moves stops by itself only where it has a lease.';

const view = {
	questions,
	log: logs,
	boards: (list) => boards.sets(list),
	tools(list) {
		setText(byId('no-tools'), noTools);
		tools.sets(list);
		agent.sets(tools.all);
	},
	resources: (list) => showResources(byId('resources-section'), byId('resources'), list, (uri) => side.read(uri, reading.signal)),
	others(list, more) {
		const rest = more + Math.max(0, list.length - mostOthers);
		byId('others').replaceChildren(...list.slice(0, mostOthers).map(otherNode), ...rest > 0 ? [element('li', {}, `and ${counted(rest, 'call')} more`)] : []);
	},
	listsWait: (waits) => setText(byId('no-tools'), waits ? 'The list waits for a free connection: calls of this page and of its other tabs have all four.' : noTools),
	stopped: () => endOwn(),
	trouble(words) {
		logs('warning', words, 'page');
		setText(byId('no-tools'), shownInLine(words));
	},
	says,
	notes,
	reached(on, words) {
		if (on) return unnotes(unreached);
		if (!isNoted(unreached)) logs('error', words, 'page');
		return notes(unreached, 'grave');
	},
};

function showCounters() {
	if (!byId('counters-section').open) return;
	const { made, result, refused, error, stopped } = calls.counts;
	byId('counters').replaceChildren(tableOf([['calls made', made], ['running', calls.running], ['with a result', result], ['refused by the device', refused], ['failed', error],
		['stopped', stopped], ['lines of the log', log.count], ['lines kept', log.kept], ...Object.entries(side.counts)]));
}

/* --- The life of the page */

/* At once what cannot wait; then all calls, as a browser may keep a page that was left, with its streams open. */
function leave() {
	side.leave();
	endOwn();
}

/* A browser may stop all that a hidden page does. Then life signs end too. */
function watchLife() {
	window.addEventListener('pagehide', leave);
	document.addEventListener('freeze', leave);
	document.addEventListener('resume', () => notes('The browser had stopped this page while it was out of sight. What ran was ended, by its lease if not before.', 'grave'));
	document.addEventListener('visibilitychange', () => {
		if (calls.running > 0) logs('info', document.hidden ? 'hidden: calls and life signs go on, unless the browser stops the page' : 'in sight again', 'page');
	});
}

function saveLog() {
	const link = element('a', { href: URL.createObjectURL(new Blob([log.text, '\n'], { type: 'text/plain' })), download: 'quash-log.txt' });
	link.click();
	URL.revokeObjectURL(link.href);
}

/* --- */

let side;

function begin() {
	const info = { name: `quash-page-${crypto.getRandomValues(new Uint32Array(1))[0].toString(16)}`, version };
	byId('page').hidden = false;
	side = beginSide(info, view);
	byId('clear-log').addEventListener('click', () => log.clear());
	byId('save-log').addEventListener('click', saveLog);
	byId('counters-section').addEventListener('toggle', showCounters);
	setInterval(showCounters, countMs);
	watchLife();
	setText(byId('about'), `quash ${shown(version)}. ${offersTools() ? 'Tools of the board are offered to agents in this browser.' : 'This browser has no place for tools of pages (WebMCP).'}`);
	showState();
}

if (window.top === window.self) {
	begin();
} else {
	byId('page').remove();
	byId('framed').hidden = false;
}
