/* SPDX-License-Identifier: MIT
 * Resources: a list, each read by its button. */

import { button, element } from './dom.mjs';
import { asText, shown, shownInLine } from './text.mjs';

const mostResources = 200, mostContents = 20, mostContent = 20000;

function contentsNode(content) {
	if (typeof content?.text === 'string') return element('pre', {}, shown(content.text, mostContent));
	return element('pre', {}, `[${asText(content?.blob ?? '').length} characters of base64, ${shownInLine(content?.mimeType ?? 'of no type')}]`);
}

function resourceNode(resource, read) {
	const out = element('div', { class: 'contents', 'aria-live': 'polite', tabindex: 0, role: 'group', 'aria-label': `contents of ${shownInLine(resource.name ?? resource.uri, 80)}` });
	const reads = async () => {
		try {
			const { contents } = await read(resource.uri);
			out.replaceChildren(...(Array.isArray(contents) ? contents : []).slice(0, mostContents).map(contentsNode));
		} catch (error) {
			out.replaceChildren(element('p', { class: 'wrong' }, shown(error.message || 'stopped')));
		}
	};
	const label = shownInLine(resource.name ?? resource.uri, 80);
	return element('li', { 'data-resource': resource.uri }, element('div', { class: 'head' }, element('strong', {}, element('bdi', {}, label)), element('span', { class: 'hint' }, element('bdi', {}, shownInLine(resource.uri))), button('Read', { 'aria-label': `Read ${label}` }, reads)),
		typeof resource.description === 'string' ? element('p', { class: 'about' }, shown(resource.description, 500)) : null, out);
}

/** Shows a list; `read(uri)` is a promise of a result of `resources/read`. The section is seen while there are any. */
export function showResources(section, list, resources, read) {
	const known = resources.filter((resource) => typeof resource?.uri === 'string');
	list.replaceChildren(...known.slice(0, mostResources).map((resource) => resourceNode(resource, read)));
	section.hidden = known.length === 0;
}
