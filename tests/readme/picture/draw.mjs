/* SPDX-License-Identifier: MIT
 * Draws what was measured as an SVG, which has the data in it: whoever has the picture can draw it again. */

import { baud, ramp, shown } from './run.mjs';

const width = 800, height = 362;
const left = 112, right = 780; /* the first and the last millisecond */
const lanes = { agent: 62, line: 138, motor: 300 }; /* the bottom of the motor's, the middle of the others */
const motorTop = 206;
const colours = { back: '#f8f9fa', edge: '#d0d7de', text: '#24292f', grey: '#6b7480', faint: '#e3e7eb', call: '#2f6fbe', stop: '#c8372d', band: '#f7dcd9', motor: '#2c7a4b',
	under: '#d8ebdf' };

const x = (ms) => (left + (ms / shown) * (right - left)).toFixed(1);
const whole = (ms) => Math.round(ms);

const text = (at, y, words, { fill = colours.text, size = 13, anchor = 'start', bold } = {}) =>
	`<text x="${at}" y="${y}" font-size="${size}" fill="${fill}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${bold ? ' font-weight="bold"' : ''}>${words}</text>`;
const rect = (from, y, w, h, fill, more = '') => `<rect x="${from}" y="${y}" width="${w}" height="${h}" fill="${fill}"${more}/>`;
const line = (x1, y1, x2, y2, stroke, more = '') => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${stroke}"${more}/>`;
const span = (from, to) => (x(to) - x(from)).toFixed(1);

function axis() {
	const ticks = Array.from({ length: shown / 100 + 1 }, (_, i) => i * 100);
	return [...ticks.map((ms) => line(x(ms), 34, x(ms), lanes.motor, colours.faint)),
		...ticks.map((ms) => text(x(ms), lanes.motor + 18, ms === shown ? `${ms} ms` : ms, { fill: colours.grey, size: 12, anchor: ms === shown ? 'end' : 'middle' }))];
}

const names = () => [['agent', lanes.agent - 2, 'MCP client'], ['line', lanes.line - 2, `${baud.toLocaleString('en-US')} baud`], ['motor', (motorTop + lanes.motor) / 2, 'its position']]
	.flatMap(([name, y, more]) => [text(16, y, name, { size: 15, bold: true }), text(16, y + 17, more, { fill: colours.grey, size: 12 })]);

/* An octagon, as on a road. */
function octagon(cx, cy, r) {
	const corners = Array.from({ length: 8 }, (_, i) => (Math.PI / 8) * (2 * i + 1)).map((a) => `${(cx + r * Math.cos(a)).toFixed(1)},${(cy + r * Math.sin(a)).toFixed(1)}`);
	return `<polygon points="${corners.join(' ')}" fill="${colours.stop}"/>`;
}

const agent = ({ called, stop }) => [
	rect(x(0), lanes.agent - 13, span(0, stop), 26, colours.call, ' rx="4"'),
	text(Number(x(0)) + 10, lanes.agent + 4, `call: move for ${called / 1000} s`, { fill: '#ffffff' }),
	octagon(Number(x(stop)), lanes.agent, 19),
	text(x(stop), lanes.agent + 4, 'Stop', { fill: '#ffffff', size: 12, anchor: 'middle', bold: true }),
];

/* A message is as long as its bytes take: from when it was written, or until it was there. */
function messageOf([ms, way, bytes, method]) {
	const takes = (bytes * 10 * 1000) / baud;
	const from = way === 'out' ? ms : ms - takes;
	const fill = method === 'notifications/cancelled' ? colours.stop : way === 'out' ? colours.call : colours.grey;
	return rect(x(from), way === 'out' ? lanes.line : lanes.line - 14, span(from, from + takes), 14, fill);
}

function onTheLine({ line: messages, stop }) {
	const reported = messages.find(([, , , method]) => method === 'notifications/progress');
	const label = (ms, y, words, fill) => text(Number(x(ms)) + 3, y, words, { fill });
	return [line(x(0), lanes.line, x(shown), lanes.line, colours.edge), ...messages.map(messageOf),
		label(0, lanes.line + 30, 'call', colours.call), label(stop, lanes.line + 30, 'cancel', colours.stop),
		...(reported ? [label(reported[0], lanes.line - 3, 'progress', colours.grey)] : [])];
}

function motor({ positions, rest }) {
	const most = positions.at(-1)[1];
	const y = (position) => (lanes.motor - (position / most) * (lanes.motor - motorTop)).toFixed(1);
	const points = positions.map(([ms, position]) => `${x(ms)},${y(position)}`).join(' ');
	return [`<polygon points="${x(0)},${lanes.motor} ${points} ${x(shown)},${lanes.motor}" fill="${colours.under}"/>`,
		`<polyline points="${points}" fill="none" stroke="${colours.motor}" stroke-width="2.5" stroke-linejoin="round"/>`,
		line(left, lanes.motor, right, lanes.motor, colours.grey),
		text((Number(x(rest)) + right) / 2, Number(y(most)) + 26, 'stands still', { fill: colours.motor, anchor: 'middle', bold: true }),
		text((Number(x(rest)) + right) / 2, Number(y(most)) + 44, `after ${most} steps`, { fill: colours.motor, size: 12, anchor: 'middle' })];
}

const verdict = ({ stop, rest }) => [
	text(right, 23, `at rest ${whole(rest - stop)} ms after Stop: ${whole(rest - stop - ramp)} for the message, ${ramp} to slow down`,
		{ fill: colours.stop, size: 14, anchor: 'end', bold: true }),
	text(16, lanes.motor + 46, 'Measured by make picture: an official MCP client, quash-bridge, an emulated serial line, a device program on the host.', { fill: colours.grey, size: 12 }),
];

const describe = ({ called, stop, rest }) =>
	`An agent calls the tool move for ${called} ms. It presses Stop after ${whole(stop)} ms. The motor is at rest ${whole(rest - stop)} ms later, and stays there.`;

/** The SVG of what was measured. */
export function draw(data) {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">
<title>Stop stops the motor</title>
<desc>${describe(data)}</desc>
<metadata>
${JSON.stringify(data)}
</metadata>
${[
		rect(0.5, 0.5, width - 1, height - 1, colours.back, ` stroke="${colours.edge}" rx="8"`),
		rect(x(data.stop), 34, span(data.stop, data.rest), lanes.motor - 34, colours.band),
		...axis(), ...names(), ...onTheLine(data), ...motor(data),
		line(x(data.stop), lanes.agent + 19, x(data.stop), lanes.motor, colours.stop, ' stroke-dasharray="4 3"'),
		line(x(data.rest), 34, x(data.rest), lanes.motor, colours.stop, ' stroke-dasharray="4 3"'),
		...agent(data), ...verdict(data),
	].join('\n')}
</svg>
`;
}

/** What was measured for a picture. */
export const dataOf = (svg) => JSON.parse(/<metadata>\n(.*)\n<\/metadata>/.exec(svg)[1]);
