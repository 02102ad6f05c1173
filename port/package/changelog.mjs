/* SPDX-License-Identifier: MIT
 * What CHANGELOG.md must be before a release. */

const order = (version) => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0);
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const neverReleased = 'never released';

/* [{ version, when, items }], as they stand on the page. */
function sectionsOf(text) {
	return text.split(/^## /m).slice(1).map((section) => {
		const [, version, when = ''] = /^\[([^\]]+)\](?: - (.*))?\n/.exec(section) ?? [null, section.split('\n')[0]];
		return { version, when, items: (section.match(/^- /gm) ?? []).length };
	}).filter(({ version }) => /^\d|^Unreleased$/.test(version));
}

/** What stands against releasing `version` on the day `today`; a line each. */
export function problemsOf(text, version, today) {
	const sections = sectionsOf(text);
	const [newest, ...older] = sections;
	if (newest?.version !== version) return [`CHANGELOG.md begins with ${newest?.version ?? 'nothing'}, the header says ${version}`];
	const problems = [];
	if (!isDay(newest.when)) problems.push(`${version} has no day: "${newest.when}"`);
	else if (newest.when > today) problems.push(`${version} is of ${newest.when}, and today is ${today}`);
	for (const { version: other, when } of older)
		if (!isDay(when) && when !== neverReleased) problems.push(`${other} has neither a day nor "${neverReleased}"`);
	for (const { version: other, items } of sections)
		if (items === 0) problems.push(`${other} has no changes`);
	for (const [i, { version: other }] of older.entries())
		if (order(other) >= order(sections[i].version)) problems.push(`${other} stands below ${sections[i].version}`);
	const days = sections.map(({ when }) => when).filter(isDay);
	if (days.some((day, i) => i > 0 && day > days[i - 1])) problems.push('a version is younger than the one above it');
	return problems;
}
