/* SPDX-License-Identifier: MIT
 * boards/page/join.sh: what it makes of page, style and modules, and what it refuses. */

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from '../common/runner.mjs';
import { folderFor, root, told } from '../common/start.mjs';

/* A copy of the page's folder, and of what it takes of others, in which files may be changed. */
function copied(t) {
	const folder = folderFor(t);
	for (const part of ['boards/page', 'boards/wasm', 'port/package/npm', 'LICENSE']) cpSync(join(root, part), join(folder, part), { recursive: true });
	writeFileSync(join(folder, 'engine.wasm'), randomBytes(100001));
	return folder;
}

const joined = (folder, ...words) => told('sh', [join(folder, 'boards/page/join.sh'), ...words], { cwd: folder });

/* The text of a page that was made. */
function made(folder, page, name = `${page}.html`) {
	const { status, stderr } = joined(folder, page, `out/${name}`, ...page === 'file' ? ['engine.wasm'] : []);
	assert.equal(stderr, '');
	assert.equal(status, 0);
	return readFileSync(join(folder, 'out', name), 'utf8');
}

/* What stands between the tags of an element, as a browser sees it. */
function textOf(html, head) {
	const [, text] = html.split(new RegExp(`<${head}>([^]*?)</${head.split(' ')[0]}>`));
	assert.ok(text !== undefined, `<${head}> is there`);
	return text;
}

const script = (html) => textOf(html, 'script type="module"');
const packed = (html, id) => gunzipSync(Buffer.from(textOf(html, `script type="text/plain" id="${id}"`), 'base64'));
const policyOf = (html) => /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)[1];
const source = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

for (const [page, more] of [['served', "script-src SCRIPT; connect-src 'self'"], ['file', "script-src SCRIPT 'wasm-unsafe-eval'; worker-src blob:; connect-src 'none'"]])
	test(`the policy of the page (${page}) allows its own script and style, and nothing else`, (t) => {
		const html = made(copied(t), page);
		const expected = `default-src 'none'; ${more}; style-src ${source(textOf(html, 'style'))}; img-src data:; base-uri 'none'; form-action 'none'`;
		assert.equal(policyOf(html), expected.replace('SCRIPT', source(script(html))));
	});

test('the file has the engine and the worker, and the served page neither', (t) => {
	const folder = copied(t), html = made(folder, 'file');
	assert.ok(packed(html, 'engine').equals(readFileSync(join(folder, 'engine.wasm'))));
	assert.match(packed(html, 'worker').toString(), /^class Board \{/m);
	assert.doesNotMatch(made(folder, 'served'), /id="(engine|worker)"/);
});

test('the file goes around alone, so it has the licenses of all that is in it', (t) => {
	const folder = copied(t), texts = ['LICENSE', 'port/package/npm/NOTICE'].map((name) => readFileSync(join(folder, name), 'utf8'));
	for (const text of texts) assert.ok(made(folder, 'file').includes(text));
	assert.doesNotMatch(made(folder, 'served'), /wasi-libc/);
});

/* As a module, which may have no name twice and no name that it does not know how to read. */
function isRead(folder, text) {
	const path = join(folder, 'joined.mjs');
	writeFileSync(path, text);
	const { status, stderr } = told(process.execPath, ['--check', path]);
	assert.equal(status, 0, stderr);
	assert.doesNotMatch(text, /^(import|export)\b/m);
}

test('what is joined is read as one module, without imports and exports', (t) => {
	const folder = copied(t), html = made(folder, 'file');
	isRead(folder, script(html));
	isRead(folder, packed(html, 'worker').toString());
	isRead(folder, script(made(folder, 'served')));
});

test('the same files give the same bytes, and nothing stays beside them', (t) => {
	const folder = copied(t);
	for (const page of ['served', 'file']) assert.equal(made(folder, page, 'one.html'), made(folder, page, 'two.html'));
	assert.deepEqual(readdirSync(join(folder, 'out')).sort(), ['one.html', 'two.html']);
});

/* A page of a few files. */
function small(t, files) {
	const folder = folderFor(t), page = join(folder, 'boards/page');
	const usual = { 'page.html': '@policy@\n@style@\n@script@\n@worker@\n@engine@\n@licenses@\n', 'page.css': '', 'worker/order': 'w.mjs\n', 'worker/w.mjs': 'w();\n', order: 'main.mjs\n', 'main.mjs': 'main();\n', '../../LICENSE': 'A license\n', '../../port/package/npm/NOTICE': 'A notice\n' };
	for (const [name, text] of Object.entries({ ...usual, ...files })) {
		mkdirSync(dirname(join(page, name)), { recursive: true });
		writeFileSync(join(page, name), text);
	}
	cpSync(join(root, 'boards/page/join.sh'), join(page, 'join.sh'));
	writeFileSync(join(folder, 'engine.wasm'), 'engine');
	return folder;
}

test('modules and lines of the page may belong to one of both pages', (t) => {
	const folder = small(t, { 'page.html': '@policy@\n@style@\n@file@\nfor the file\n@end@\n@served@\nfor the bridge\n@end@\nfor both\n@script@\n@worker@\n@engine@\n@licenses@\n',
		order: '# those of the page\na.mjs file\nb.mjs served\nmain.mjs\n', 'a.mjs': 'export const a = 1;\n', 'b.mjs': 'export const b = 2;\n',
		'main.mjs': "import { a } from './a.mjs';\nimport { b } from './b.mjs';\n" });
	assert.match(made(folder, 'file'), /\nfor the file\nfor both\n[^]*\nconst a = 1;\n<\/script>/);
	assert.match(made(folder, 'served'), /\nfor the bridge\nfor both\n[^]*\nconst b = 2;\n<\/script>/);
	assert.doesNotMatch(made(folder, 'served'), /for the file|const a/);
});

test('comments that have lines of their own are left out, but for the licence', (t) => {
	const folder = small(t, { 'main.mjs': '/* SPDX-License-Identifier: MIT\n * What it is: a * b / c. */\n\n/** Said. */\nmain(); /* kept */\n\t/* in\n\t * more */\nrest(); /* and\n * this */\n' });
	assert.equal(script(made(folder, 'served')), '\n/* SPDX-License-Identifier: MIT */\n\nmain(); /* kept */\nrest(); /* and\n * this */\n');
});

for (const length of [0, 1, 2, 3, 767, 768, 769])
	test(`a style of ${length} bytes has the right sum, and an engine of ${length} bytes comes back`, (t) => {
		const folder = small(t, { 'page.css': 'x'.repeat(length) }), engine = randomBytes(length);
		writeFileSync(join(folder, 'engine.wasm'), engine);
		const html = made(folder, 'file');
		assert.ok(policyOf(html).includes(`style-src ${source(textOf(html, 'style'))};`));
		assert.ok(packed(html, 'engine').equals(engine));
	});

const refusals = [
	['an end of the script', { 'main.mjs': "put('</SCRIPT>');\n" }, /main\.mjs: a script in a page may not have this: put/],
	['a comment of HTML', { 'main.mjs': 'a <!--b;\n' }, /main\.mjs: a script in a page may not have this/],
	['an end of the style', { 'page.css': 'a { content: "</style>" }\n' }, /page\.css: a style in a page may not end its element/],
	['an end of a line that a browser reads as another one', { 'main.mjs': 'main();\r\n' }, /main\.mjs: lines end with a carriage return/],
	['an import of more lines', { 'main.mjs': 'import {\n\ta,\n} from \'./a.mjs\';\n' }, /main\.mjs: not as imports are written here: import \{/],
	['an import under another name', { order: 'a.mjs\nmain.mjs\n', 'a.mjs': 'a();\n', 'main.mjs': "import { a as b } from './a.mjs';\n" }, /not as imports are written here/],
	['an import of all', { 'main.mjs': "import * as a from './a.mjs';\n" }, /not as imports are written here/],
	['an import of Node', { 'main.mjs': "import { join } from 'node:path';\n" }, /not as imports are written here/],
	['an import at its place', { 'main.mjs': "import('./a.mjs');\n" }, /not as imports are written here/],
	['an import of what stands below', { order: 'main.mjs\na.mjs\n', 'a.mjs': 'a();\n', 'main.mjs': "import { a } from './a.mjs';\n" }, /main\.mjs: a\.mjs does not stand above it in \.\/order/],
	['an export of a list', { 'main.mjs': 'export { a };\n' }, /main\.mjs: not as exports are written here: export \{ a \}/],
	['an export by default', { 'main.mjs': 'export default 1;\n' }, /not as exports are written here/],
	['a module that is not there', { order: 'a.mjs\n' }, /\.\/a\.mjs is not there, or empty/],
	['a word of no page', { order: 'main.mjs both\n' }, /order: a name, and `served` or `file`: main\.mjs both/],
	['a page without a place for the engine', { 'page.html': '@policy@\n@style@\n@script@\n@worker@\n@licenses@\n' }, /page\.html has no line @engine@/],
	['a license that a comment cannot have', { '../../LICENSE': 'A license -- of theirs\n' }, /a comment of the page may not have two hyphens, and a license has/],
	['a wrong module of the worker', { 'worker/w.mjs': "put('</script>');\n" }, /w\.mjs: a script in a page may not have this/],
];

for (const [what, files, words] of refusals)
	test(`it refuses ${what}, and writes nothing`, (t) => {
		const folder = small(t, files), { status, stderr } = joined(folder, 'file', 'out/page.html', 'engine.wasm');
		assert.equal(status, 1);
		assert.match(stderr, words);
		assert.equal(stderr.split('\n').length, 2, 'one line');
		assert.deepEqual(readdirSync(join(folder, 'out')), []);
	});

test('an engine that is not there is refused, with what builds it', (t) => {
	const folder = small(t, {}), { status, stderr } = joined(folder, 'file', 'out/page.html', 'none.wasm');
	assert.equal(status, 1);
	assert.equal(stderr, 'join.sh: none.wasm is not there: `make wasm` builds it\n');
	assert.equal(existsSync(join(folder, 'out')), false);
});

test('a page that could not be made anew stays as it was', (t) => {
	const folder = small(t, {}), before = made(folder, 'served', 'page.html');
	appendFileSync(join(folder, 'boards/page/main.mjs'), '<!--\n');
	assert.equal(joined(folder, 'served', 'out/page.html').status, 1);
	assert.equal(readFileSync(join(folder, 'out/page.html'), 'utf8'), before);
});
