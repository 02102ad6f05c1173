/* SPDX-License-Identifier: MIT
 * Chromium without a window, driven by playwright-core. One serves a whole run; its pages are each test's own. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load, pathOf } from '../common/npm/modules.mjs';
import { root } from '../common/start.mjs';

export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const switches = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync'];
const webMcp = '--enable-features=WebMCP';

/** The page that is opened from disk, as a URL. */
export const fileUrl = pathToFileURL(process.env.PAGE ?? join(root, 'build/page/quash.html')).href;

/* Its empty folder is made below build. It ends with the pipe to it, also when this process is killed. */
async function launched(words, ignoreDefaultArgs) {
	const { chromium } = load('playwright-core'), folder = join(root, 'build/page/tmp'), { TMPDIR } = process.env;
	mkdirSync(folder, { recursive: true });
	process.env.TMPDIR = folder;
	try {
		return await chromium.launch({ executablePath: chromiumPath, args: [...switches, ...words], ignoreDefaultArgs });
	} finally {
		if (TMPDIR === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = TMPDIR;
	}
}

let shared;

/** That of the run, with WebMCP. */
export const browser = () => (shared ??= launched([webMcp]));

/** The version in words. */
export const browserVersion = async () => `Chromium ${(await browser()).version()}`;

/** One of its own for a test, which may break it. `without`: words of a driver's that it is started without. */
export async function ownBrowser(t, words = [], without = []) {
	const own = await launched(words, without);
	t.after(() => own.close());
	return own;
}

export async function closeBrowser() {
	if (shared) await (await shared).close();
}

/** The ids of the processes that show pages. */
export async function renderersOf(one) {
	const session = await one.newBrowserCDPSession();
	const { processInfo } = await session.send('SystemInfo.getProcessInfo');
	return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** The source of axe-core. */
export const axeSource = () => readFileSync(pathOf('axe-core/axe.min.js'), 'utf8');
