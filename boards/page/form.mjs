/* SPDX-License-Identifier: MIT
 * A form from the fields of a schema. Each argument has one input of its name; a slider beside a number has none. */

import { element, newId } from './dom.mjs';
import { fieldsOf } from './schema.mjs';
import { shown, shownInLine, shownNumber } from './text.mjs';

/** What a person has written is no value of the field's kind. */
export class WrongValue extends Error {}

/* --- Inputs: each has `input`, what else stands beside it, and `read`, which gives the value, or undefined: it is not sent */

function textInput({ name, given, required }) {
	const input = element('input', { type: 'text', name, autocomplete: 'off', spellcheck: 'false', value: typeof given === 'string' ? given : null });
	return { input, read: () => (input.value === '' && !required && typeof given !== 'string' ? undefined : input.value) };
}

function switchInput({ name, given, required }) {
	const input = element('input', { type: 'checkbox', name, checked: given === true });
	const open = !required && typeof given !== 'boolean';
	input.indeterminate = open;
	return { input, beside: open ? [element('span', { class: 'hint' }, 'not sent until it is set')] : [], read: () => (input.indeterminate ? undefined : input.checked) };
}

function choiceInput({ name, choices, given, required }) {
	const input = element('select', { name });
	if (!required) input.append(element('option', { value: '' }, '(not sent)'));
	choices.forEach(({ value, title }, i) => input.append(element('option', { value: i + 1, selected: value === given }, shownInLine(title))));
	return { input, read: () => (input.value === '' ? undefined : choices[Number(input.value) - 1].value) };
}

function jsonInput({ name, given, required }) {
	const input = element('input', { type: 'text', name, autocomplete: 'off', spellcheck: 'false', placeholder: 'JSON', value: given === undefined ? null : JSON.stringify(given) });
	const read = () => {
		if (input.value.trim() === '' && !required) return undefined;
		try {
			return JSON.parse(input.value);
		} catch {
			throw new WrongValue('is no JSON: texts stand in quotes, lists in [ ], objects in { }');
		}
	};
	return { input, read };
}

/* A slider shows and sets the number beside it. */
function sliderFor(input, { begins, high, slide }, label) {
	const slider = element('input', { type: 'range', min: begins, max: high, step: slide, value: input.value === '' ? begins : input.value, 'aria-label': `${label}, slider` });
	slider.addEventListener('input', () => {
		input.value = slider.value;
		input.dispatchEvent(new Event('input'));
	});
	input.addEventListener('input', () => { slider.value = input.value; });
	return slider;
}

/* What JavaScript would round is not sent. */
function exact(number, whole) {
	if (whole && Number.isInteger(number) && !Number.isSafeInteger(number)) throw new WrongValue('is too large for a browser to send it exactly');
	return number;
}

function numberInput(field) {
	const { name, given, required, low, high, whole, slides, begins, unit, title } = field;
	const value = typeof given === 'number' ? given : required && slides ? begins : null;
	const input = element('input', { type: 'number', name, min: low, max: high, step: whole ? 1 : 'any', value, autocomplete: 'off' });
	const range = slides ? element('span', { class: 'hint' }, `${shownNumber(low)} to ${shownNumber(high)}`) : null;
	const read = () => {
		if (input.validity.badInput) throw new WrongValue('is no number');
		if (input.value !== '') return exact(Number(input.value), whole);
		if (required) throw new WrongValue('a number is missing');
		return undefined;
	};
	const beside = [unit ? element('span', { class: 'unit' }, unit) : null, slides ? sliderFor(input, field, shownInLine(title || name)) : null, range];
	return { input, beside: beside.filter(Boolean), read };
}

const inputs = { text: textInput, switch: switchInput, choice: choiceInput, json: jsonInput, number: numberInput };

/* --- A field: its label, its input, what is wrong with it */

function rowOf(field) {
	const id = newId('field'), wrongId = newId('wrong'), aboutId = newId('about');
	const { input, beside = [], read } = inputs[field.kind](field);
	const about = field.description ? element('p', { class: 'about', id: aboutId }, shown(field.description, 1000)) : null;
	const wrong = element('p', { class: 'wrong', id: wrongId, 'aria-live': 'polite' });
	input.id = id;
	if (about) input.setAttribute('aria-describedby', `${aboutId} ${wrongId}`);
	else input.setAttribute('aria-describedby', wrongId);
	if (field.required) input.setAttribute('aria-required', 'true');
	const label = element('label', { for: id }, element('bdi', {}, shownInLine(field.title || field.name, 80)), field.required ? '' : element('span', { class: 'hint' }, ' (optional)'));
	const say = (words) => {
		wrong.textContent = words;
		input.toggleAttribute('data-wrong', words !== '');
		input.setAttribute('aria-invalid', String(words !== ''));
	};
	input.addEventListener('input', () => say(''));
	return { field, input, read, say, node: element('div', { class: `field ${field.kind}` }, label, element('div', { class: 'inputs' }, input, ...beside), about, wrong) };
}

/* Devices say `steps: must be an integer from 1 to 100000`, also after other words. */
function divide(words, names) {
	const said = new Map(), rest = [];
	for (const line of words.split('\n')) {
		const name = names.find((one) => line.startsWith(`${one}: `));
		if (name !== undefined && !said.has(name)) said.set(name, line.slice(name.length + 2));
		else if (line !== '') rest.push(line);
	}
	return { said, rest };
}

/** A form in a box, for whoever moves it or hears of it: an input hides what a form has of the same name, as `append` or `addEventListener`. */
export function boxOf(form, kind, submitted) {
	const box = element('div', { class: kind }, form);
	box.addEventListener('submit', (event) => {
		event.preventDefault();
		submitted();
	});
	return box;
}

/** The rows of a form. */
export class Rows {
	#rows;

	constructor(schema) {
		const { fields, more } = fieldsOf(schema);
		this.#rows = fields.map(rowOf);
		this.nodes = this.#rows.map(({ node }) => node);
		if (more > 0) this.nodes.push(element('p', { class: 'about' }, `${more} further arguments have no field here and are not sent.`));
	}

	/** What is written, as an object; null: something is none of its kind, which is said beside it, and has the focus. */
	read() {
		const pairs = [];
		let first = null;
		for (const row of this.#rows) {
			row.say('');
			try {
				const value = row.read();
				if (value !== undefined) pairs.push([row.field.name, value]);
			} catch (error) {
				if (!(error instanceof WrongValue)) throw error;
				row.say(error.message);
				first ??= row;
			}
		}
		first?.input.focus();
		return first ? null : Object.fromEntries(pairs);
	}

	/** Puts words of the device beside the fields that they begin with. True: some of them were. */
	refuse(words) {
		const { said } = divide(words, this.#rows.map(({ field }) => field.name));
		for (const row of this.#rows) if (said.has(row.field.name)) row.say(shown(said.get(row.field.name), 500));
		return said.size > 0;
	}
}
