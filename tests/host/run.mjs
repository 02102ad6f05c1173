/* SPDX-License-Identifier: MIT
 * `node tests/host/run.mjs [inspect | others]`: the tests of the host's programs, or those of quash-inspect, or the others.
 * Most of both is waiting, so the two run side by side. */

const inspect = ['inspect', 'inspect-others', 'inspect-jsonrpc', 'inspect-devices', 'inspect-replay', 'inspect-advise', 'inspect-doctor', 'inspect-manual'];
const others = ['blackbox', 'toolbox', 'hosts', 'orders', 'langserver', 'linked', 'children', 'stopping', 'gathering', 'tracing', 'conforming', 'refused', 'options', 'released', '../hosts/witness', '../wine/page'];
const parts = { inspect, others };

for (const name of parts[process.argv[2]] ?? [...others, ...inspect]) await import(`./${name}.mjs`);
