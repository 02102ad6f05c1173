/* SPDX-License-Identifier: MIT
 * The tokens of a C text. Comments and preprocessor lines are none; a string is one, which nobody looks into. */

const shapes = /(?<space>\s+)|(?<comment>\/\*[^]*?\*\/|\/\/[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<char>'(?:[^'\\\n]|\\.)+')|(?<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?<name>[A-Za-z_]\w*)|(?<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])/y;
const directive = /#(?:[^\n\\]|\\[^])*/y;

const startsLine = (text, at) => /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

function at(shape, text, place) {
	shape.lastIndex = place;
	return shape.exec(text);
}

/** @returns {{kind: string, text: string, start: number, end: number}[]} the kind is string, char, number, name or mark */
export function tokensOf(text) {
	const tokens = [];
	for (let start = 0, end; start < text.length; start = end) {
		if (text[start] === '#' && startsLine(text, start)) {
			end = start + at(directive, text, start)[0].length;
			continue;
		}
		const { groups, 0: found } = at(shapes, text, start);
		const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
		end = start + found.length;
		if (kind !== 'space' && kind !== 'comment') tokens.push({ kind, text: found, start, end });
	}
	return tokens;
}

const partners = { '(': ')', '[': ']', '{': '}' };

/** The index of each opening bracket's partner, and the other way round. */
export function partnersOf(tokens) {
	const found = new Map(), open = [];
	tokens.forEach((token, i) => {
		if (token.kind !== 'mark') return;
		if (partners[token.text]) open.push(i);
		else if (open.length && partners[tokens[open.at(-1)].text] === token.text) {
			const from = open.pop();
			found.set(from, i).set(i, from);
		}
	});
	return found;
}

/** The functions: { name, from, to } with the indices of their braces, which stand at the margin. */
export function functionsIn(text, tokens, partner) {
	const found = [];
	tokens.forEach(({ text: mark, start }, i) => {
		if (mark !== '{' || (start > 0 && text[start - 1] !== '\n') || !partner.has(i)) return;
		let head = i;
		while (head > 0 && !/^[;}]$/.test(tokens[head - 1].text)) head--;
		const open = tokens.findIndex((token, k) => k > head && token.text === '(');
		if (open > 0 && open < i) found.push({ name: tokens[open - 1].text, from: i, to: partner.get(i) });
	});
	return found;
}
