/* SPDX-License-Identifier: MIT
 * What a person sees of the page and does to it, by the marks that the page keeps: `#connect`, `#stop`, `form[data-tool]`, `[data-call]`,
 * `#log`. */

import assert from 'node:assert/strict';
import { test, until } from '../common/runner.mjs';
import { browser } from './browser.mjs';

/* Runs in the page, before its own script: whatever a device's text gets to run would trip it. */
function layTripwire() {
	const trips = [];
	const trip = (how) => trips.push(how);
	window.trip = trip;
	for (const name of ['alert', 'confirm', 'prompt', 'open', 'print']) window[name] = () => trip(name);
	window.tripwire = trips;
	window.knownCalls = new WeakSet();
}

/* What of a page belongs to no other place: it came from there, or was made by it. */
const isOwn = (url, place) => url === place || url.startsWith('data:') || url.startsWith('blob:');

const attribute = (name, value) => `[${name}="${value.replaceAll(/["\\]/g, '\\$&')}"]`;

/** One call, as the page shows it. */
export class Call {
	#sight;
	#node;

	constructor(sight, node) {
		this.#sight = sight;
		this.#node = node;
	}

	part(selector) {
		return this.#node.$(selector);
	}

	async textOf(selector) {
		return (await (await this.part(selector))?.textContent()) ?? '';
	}

	text() {
		return this.#node.textContent();
	}

	/** Of the bar: its value, null before the first progress. */
	async value() {
		const part = await this.part('.progress');
		return (await part?.evaluate((node) => {
			const bar = node.matches('progress, [role=progressbar]') ? node : node.querySelector('progress, [role=progressbar]');
			const value = bar?.getAttribute('aria-valuenow') ?? bar?.getAttribute('value');
			return value === null || value === undefined ? null : Number(value);
		})) ?? null;
	}

	async runs() {
		await this.#sight.until('progress of the call', async () => {
			assert.equal(await this.part('.result'), null, `it goes on: ${await this.text()}`);
			return (await this.value()) > 0;
		});
		return this;
	}

	/** The text of its result, once it is there. */
	async result() {
		await this.#sight.until('the result of the call', () => this.part('.result'));
		return this.textOf('.result');
	}

	/** Values of its result by their names. */
	async values() {
		await this.result();
		return (await this.part('.result')).evaluate((node) => {
			const rows = [...node.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));
			return Object.fromEntries(rows.map(([name, value]) => [name, /^-?[\d.]+$/.test(value) ? Number(value) : value]));
		});
	}

	async stop() {
		await (await this.part('.stop')).click();
	}
}

export class Sight {
	requests = [];
	complaints = [];
	/** What the console may say in this test. */
	allowed = [];
	/** It was closed, or its process killed. */
	isGone = false;

	/** A page of its own, or one more of the same person, whose `context` is given. */
	static async open(t, { context, from, width = 1100, height = 800, ...how } = {}) {
		const own = context ?? await (await (from ?? browser())).newContext({ viewport: { width, height }, ...how });
		if (!context) t.after(() => own.close().catch(() => {})); /* whose browser may have ended */
		own.setDefaultTimeout(0); /* a wait ends with its event, or with the run */
		const sight = new Sight(await own.newPage());
		t.sights?.push(sight);
		await sight.page.addInitScript(layTripwire);
		return sight;
	}

	constructor(page) {
		this.page = page;
		page.on('request', (request) => this.requests.push(request.url()));
		page.on('pageerror', (error) => this.complaints.push(error.stack || `${error}`));
		page.on('console', (message) => { if (message.type() === 'error') this.complaints.push(message.text()); });
	}

	get context() {
		return this.page.context();
	}

	/** Opens it. `places`: what else may be asked for, the beginnings of URLs. */
	async goes(url, places = []) {
		this.url = url;
		this.places = [url.replace(/#.*/, ''), ...places];
		await this.page.goto(url);
		this.#hasNoError();
		return this;
	}

	#hasNoError() {
		assert.deepEqual(this.complaints.filter((text) => !this.allowed.some((pattern) => pattern.test(text))), [], 'no error of the page');
	}

	/** Waits until `probe` gives something true; a page that has an error never comes to that. */
	until(what, probe) {
		return until(what, () => {
			this.#hasNoError();
			return probe();
		});
	}

	/** Nothing was asked for elsewhere, nothing of a device was run, and the page has no error. */
	async isClean() {
		const foreign = this.requests.filter((url) => !this.places?.some((place) => isOwn(url, place) || (place.endsWith('/') && url.startsWith(place))));
		assert.deepEqual(foreign, [], 'no request to anywhere else');
		this.#hasNoError();
		if (!this.isGone) assert.deepEqual(await this.page.evaluate(() => window.tripwire), [], 'nothing of a device was run');
	}

	get stopButton() {
		return this.page.locator('#stop');
	}

	async connects() {
		await this.page.locator('#connect').click();
	}

	form(tool) {
		return this.page.locator(`form${attribute('data-tool', tool)}`);
	}

	input(tool, argument) {
		return this.form(tool).locator(attribute('name', argument));
	}

	async tools() {
		return this.page.locator('form[data-tool]').evaluateAll((forms) => forms.map((form) => form.dataset.tool));
	}

	hasTool(tool) {
		return this.until(`the form of ${tool}`, async () => (await this.form(tool).count()) === 1);
	}

	hasNoTool(tool) {
		return this.until(`no form of ${tool}`, async () => (await this.form(tool).count()) === 0);
	}

	async fills(tool, args) {
		for (const [name, value] of Object.entries(args)) {
			const input = this.input(tool, name);
			if (typeof value === 'boolean') await input.setChecked(value);
			else if (await input.evaluate((node) => node.tagName === 'SELECT')) await input.selectOption({ label: String(value) });
			else await input.fill(String(value));
		}
	}

	/* The call that has come since the last one that was looked for. */
	async newCall(tool) {
		let node;
		await this.until(`a call of ${tool}`, async () => {
			const handle = await this.page.evaluateHandle((selector) => {
				const found = [...document.querySelectorAll(selector)].find((one) => !window.knownCalls.has(one));
				if (found) window.knownCalls.add(found);
				return found ?? null;
			}, attribute('data-call', tool));
			node = handle.asElement();
			return node !== null;
		});
		return new Call(this, node);
	}

	/** Fills in the form, and presses its button. */
	async calls(tool, args = {}) {
		await this.opens(tool);
		await this.fills(tool, args);
		await this.form(tool).locator('button.call').click();
		return this.newCall(tool);
	}

	/** A form may be folded. */
	async opens(tool) {
		await this.hasTool(tool);
		await this.form(tool).evaluate((form) => {
			for (let node = form; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
		});
	}

	/** Counters of a toolbox. */
	async stats(tool = 'stats') {
		return (await this.calls(tool)).values();
	}

	/** The motor has stopped so often, and stands. Its position. */
	async stands(stops, tool = 'stats') {
		let found;
		await this.until(`stop ${stops} of the motor`, async () => {
			found = await this.stats(tool);
			return found.stepper_stops === stops;
		});
		for (let look = 0; look < 2; look++) assert.equal((await this.stats(tool)).stepper_position, found.stepper_position, 'it stands still');
		return found.stepper_position;
	}

	text() {
		return this.page.locator('body').innerText();
	}

	says(pattern) {
		return this.until(`${pattern} in sight`, async () => pattern.exec(await this.text()));
	}
}

/** A test of the page. What every page must keep is looked at when its body has passed. */
export function check(name, body, how) {
	test(`page: ${name}`, async (t) => {
		t.sights = [];
		await body(t);
		for (const sight of t.sights) await sight.isClean();
	}, how);
}
