/* SPDX-License-Identifier: MIT
 * The page that a bridge serves: all devices of the bridge, beside its other clients. */

import { byId } from './dom.mjs';
import { Served, TokenNeeded, fieldText } from './http.mjs';
import { Session } from './session.mjs';
import { streamsAreShared } from './streams.mjs';

const lookMs = 1000, lookHiddenMs = 5000;

/* The token of the fragment, which the address then has no more. */
function tokenOfAddress() {
	const token = new URLSearchParams(location.hash.slice(1)).get('token');
	if (token !== null) history.replaceState(null, '', location.pathname + location.search);
	return token ?? '';
}

/* What of the devices makes their lists other ones. */
const printOf = (devices) => devices.map(({ name, state, tools }) => `${name} ${state} ${tools}`).join('\n');

class ServedSide {
	#served = new Served();
	#session;
	#view;
	#tag;
	#print = null;
	#states = new Map();
	#tabs = new BroadcastChannel('quash-stop');
	#stops = null; /* how many there had been at the bridge when it was looked at */
	counts = {};

	/** `info.name` of this page's requests is its own, so that it knows the calls of others. */
	constructor(info, view) {
		this.#view = view;
		this.#tag = info.name;
		this.#session = new Session(this.#served, info, view, fieldText);
		this.#served.token = tokenOfAddress();
		this.#tabs.onmessage = () => view.stopped();
		this.#looksOn();
	}

	set token(token) {
		this.#served.token = token;
		this.#looks();
	}

	call(tool, args, call) {
		return this.#session.callTool(tool, args, call);
	}

	read(uri, signal) {
		return this.#session.readResource(uri, signal);
	}

	hasOthers = true;

	/** What waits in another tab for a connection of this one is not to begin. */
	tellTabs() {
		this.#tabs.postMessage('stop');
	}

	/** A promise of how many calls the bridge has stopped. `fails` is told of each try that has failed, but for the last. */
	async stopOthers(fails) {
		const { stopped, stops } = await this.#served.stops(fails);
		this.#stops = stops;
		return stopped;
	}

	/** Its calls are its streams: whoever aborts them leaves nothing. */
	leave() {}

	/* --- */

	async #looksOn() {
		await this.#looks();
		setTimeout(() => this.#looksOn(), document.hidden ? lookHiddenMs : lookMs);
	}

	async #looks() {
		try {
			const { devices, calls, stops, more = 0 } = await this.#served.looks();
			this.#hears(stops);
			byId('token-form').hidden = true;
			this.#view.boards(devices);
			this.#view.others(calls.filter(({ client }) => !String(client).includes(this.#tag)), more);
			this.#view.reached(true);
			this.#follows(devices);
		} catch (error) {
			this.#print = null;
			this.#view.others([], 0);
			if (error instanceof TokenNeeded) byId('token-form').hidden = false;
			else this.#view.reached(false, error.message);
		}
	}

	/* A Stop of another machine ends what this page repeats, asks, or has waiting. */
	#hears(stops) {
		if (this.#stops !== null && this.#stops !== stops) this.#view.stopped();
		this.#stops = stops;
	}

	#follows(devices) {
		const print = printOf(devices);
		if (print === this.#print) return;
		this.#print = print;
		for (const { name, state, trouble } of devices) this.#says(name, trouble ? `${state}: ${trouble}` : state);
		this.#session.refresh();
	}

	/* Once, until it is another state. */
	#says(name, state) {
		if (this.#states.get(name) === state) return;
		this.#states.set(name, state);
		this.#view.log('info', `${name}: ${state}`, 'bridge');
	}
}

const overPlainHttp = 'This page has come over plain HTTP from another machine. Whoever is on the network reads what passes, the token too. Tools are not offered to an agent in this browser.';
const tabsAlone = 'Tabs do not know of each other here: open one alone, so that Stop finds a free connection.';

/** The side of this page, which shows what it has in `view`. */
export function beginSide(info, view) {
	const side = new ServedSide(info, view);
	byId('token-form').addEventListener('submit', (event) => {
		event.preventDefault();
		side.token = byId('token').value;
		byId('token').value = '';
	});
	window.addEventListener('hashchange', () => {
		const token = tokenOfAddress();
		if (token !== '') side.token = token;
	});
	if (!window.isSecureContext) view.notes(overPlainHttp);
	if (!streamsAreShared()) view.notes(tabsAlone);
	return side;
}
