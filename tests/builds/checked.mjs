/* SPDX-License-Identifier: MIT
 * The programs of the build for tests, as black boxes: a put function that puts something else the second time, or that
 * calls back into its peer, ends them. */

const at = (name) => new URL(`../../build/checked/host/${name}`, import.meta.url).pathname;

for (const name of ['testee', 'toolbox', 'agent', 'langserver']) process.env[name.toUpperCase()] = at(name);

await import('../host/blackbox.mjs');
await import('../host/toolbox.mjs');
await import('../host/langserver.mjs');
