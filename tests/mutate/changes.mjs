/* SPDX-License-Identifier: MIT
 * Every change of a C source that makes a mutant of it. A change is { kind, start, end, put }: what stands from start to
 * end gives way to `put`. */
import { functionsIn, partnersOf, tokensOf } from './tokens.mjs';

const operators = {
	'<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['=='],
	'&&': ['||'], '||': ['&&'], '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['/'], '&': ['|'], '|': ['&'], '^': ['|'],
	'<<': ['>>'], '>>': ['<<'], '+=': ['-='], '-=': ['+='], '|=': ['&='], '&=': ['|='], '^=': ['|='], '<<=': ['>>='], '>>=': ['<<='],
};
const steps = { '++': ['--'], '--': ['++'] };
const unary = new Set(['!', '~', '-']);
const types = new Set(['const', 'static', 'struct', 'enum', 'union', 'unsigned', 'signed', 'int', 'char', 'bool', 'void', 'size_t', 'double',
	'float', 'long', 'short', 'volatile', 'register']);

const change = (kind, { start, end }, put) => ({ kind, start, end, put });

/* An operator between two operands has a space behind it, and one that stands before its operand has none. */
function ofOperator(text, token) {
	const between = /\s/.test(text[token.end] ?? '');
	if (steps[token.text]) return steps[token.text].map((put) => change('operator', token, put));
	if (between) return (operators[token.text] ?? []).map((put) => change('operator', token, put));
	return unary.has(token.text) ? [change('operator', token, '')] : [];
}

const numbers = { 0: ['1'], 1: ['0', '2'] };

function ofNumber(token) {
	const found = /^(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$/.exec(token.text);
	if (!found) return [];
	const [, digits, suffix] = found, value = BigInt(digits);
	const base = /^0x/i.test(digits) ? (n) => `0x${n.toString(16).toUpperCase()}` : String;
	const others = numbers[value] ?? [base(value + 1n), base(value - 1n)];
	return others.map((put) => change('constant', token, put + suffix));
}

function ofChar(token) {
	const found = /^'([A-Za-z0-9])'$/.exec(token.text);
	const next = found && String.fromCharCode(found[1].charCodeAt(0) + 1);
	return next && /\w/.test(next) ? [change('constant', token, `'${next}'`)] : [];
}

function ofToken(text, token) {
	if (token.kind === 'mark') return ofOperator(text, token);
	if (token.kind === 'number') return ofNumber(token);
	if (token.kind === 'char') return ofChar(token);
	if (token.text === 'true') return [change('constant', token, 'false')];
	if (token.text === 'false') return [change('constant', token, 'true')];
	return [];
}

/* The statements of a function's body, by their tokens. */
class Body {
	changes = [];

	constructor(text, tokens, partner) {
		Object.assign(this, { text, tokens, partner });
	}

	#is(i, ...words) {
		return words.includes(this.tokens[i]?.text);
	}

	#span(from, to) {
		return { start: this.tokens[from].start, end: this.tokens[to - 1].end };
	}

	#textOf(from, to) {
		const { start, end } = this.#span(from, to);
		return this.text.slice(start, end);
	}

	#change(kind, from, to, put) {
		this.changes.push(change(kind, this.#span(from, to), put));
	}

	/* Where the statement that begins at token i has ended. */
	statement(i) {
		if (this.#is(i, '{')) return this.#block(i);
		if (this.#is(i, 'if')) return this.#if(i);
		if (this.#is(i, 'while')) return this.#while(i);
		if (this.#is(i, 'for', 'switch')) return this.statement(this.partner.get(i + 1) + 1);
		if (this.#is(i, 'do')) return this.#simple(this.statement(i + 1), true);
		if (this.#is(i, 'case', 'default')) return this.#afterColon(i);
		return this.#simple(i, this.#stays(i));
	}

	#block(i) {
		const end = this.partner.get(i);
		for (let at = i + 1; at < end;) at = this.statement(at);
		return end + 1;
	}

	#afterColon(i) {
		while (!this.#is(i, ':')) i++;
		return this.#is(i + 1, '}') ? i + 1 : this.statement(i + 1);
	}

	#if(i) {
		const open = i + 1, close = this.partner.get(open), condition = this.#textOf(open + 1, close);
		const then = this.statement(close + 1);
		for (const put of ['1', '0']) this.#change('condition', open + 1, close, put);
		if (!this.#is(then, 'else')) {
			this.#change('condition', open + 1, close, `!(${condition})`);
			return then;
		}
		const end = this.statement(then + 1);
		this.#change('branches', close + 1, end, `${this.#textOf(then + 1, end)} else ${this.#textOf(close + 1, then)}`);
		return end;
	}

	#while(i) {
		const close = this.partner.get(i + 1);
		this.#change('condition', i + 2, close, '0');
		return this.statement(close + 1);
	}

	/* A declaration, or a statement that returns a value: without it nothing compiles. */
	#stays(i) {
		const [first, second, third] = this.tokens.slice(i, i + 3);
		if (first.text === 'return') return second.text !== ';';
		if (types.has(first.text)) return true;
		if (first.kind !== 'name') return first.text === ';';
		return second.kind === 'name' && !this.#is(i, 'goto') || (second.text === '*' && (third.kind === 'name' || third.text === '*'));
	}

	#simple(i, stays) {
		let end = i;
		while (!this.#is(end, ';')) end = (this.partner.get(end) ?? end) + 1;
		if (!stays) this.#change('statement', i, end + 1, ';');
		return end + 1;
	}

	/* The two results of `? :` change places; the second goes to the end of the expression. */
	choice(i) {
		let colon = i + 1;
		for (let depth = 0; depth > 0 || !this.#is(colon, ':'); colon = this.#next(colon)) depth += this.#is(colon, '?') - this.#is(colon, ':');
		let end = colon + 1;
		for (let depth = 0; !this.#is(end, ',', ';', ')', ']', '}') && (depth > 0 || !this.#is(end, ':')); end = this.#next(end))
			depth += this.#is(end, '?') - this.#is(end, ':');
		this.#change('branches', i + 1, end, `${this.#textOf(colon + 1, end)} : ${this.#textOf(i + 1, colon)}`);
	}

	#next(i) {
		const other = this.partner.get(i);
		return (other > i ? other : i) + 1;
	}
}

/** The changes of a text, in the order of their places. In a header those of its functions alone, for a test program that
 * includes it is not compiled again. */
export function changesOf(text, isHeader) {
	const tokens = tokensOf(text), partner = partnersOf(tokens), functions = functionsIn(text, tokens, partner);
	const body = new Body(text, tokens, partner);
	const place = (i) => functions.find(({ from, to }) => from < i && i < to);
	const isConstant = ({ kind }) => kind === 'constant';
	for (const { from } of functions) body.statement(from);
	const own = tokens.flatMap((token, i) => {
		if (place(i) && token.text === '?') body.choice(i);
		return place(i) ? ofToken(text, token) : isHeader ? [] : ofToken(text, token).filter(isConstant);
	});
	const where = ({ start }) => functions.find(({ from, to }) => tokens[from].start < start && start < tokens[to].start)?.name ?? '';
	return [...own, ...body.changes].map((one) => ({ ...one, where: where(one) }))
		.sort((a, b) => a.start - b.start || a.end - b.end || (a.put < b.put ? -1 : 1));
}
