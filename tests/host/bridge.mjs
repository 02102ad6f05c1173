/* SPDX-License-Identifier: MIT
 * node bridge.mjs [[--but] NAME...]
 *
 * All black-box tests of quash-bridge but those that go on for long: bridge-plugs.mjs. Or some of them, or all others. BRIDGE and
 * TOOLBOX name other programs than those of build/host, and WITHOUT says what these or the machine have not: `tty`,
 * `proc`, `linux`, or words of the table in boards/wasm/README.md. */

const all = ['session', 'line', 'log', 'diagnosis', 'end', 'parent', 'clients', 'confirm', 'sessions', 'whose', 'strangers', 'texts', 'devices', 'ports', 'alone', 'names', 'pages', 'options', 'hosts', 'install', 'install-texts', 'service', 'fair', 'unread', 'doors', 'http', 'http-who', 'http-messages', 'page'];
const [first, ...others] = process.argv.slice(2);
const named = first === '--but' ? all.filter((name) => !others.includes(name)) : first ? [first, ...others] : all;

for (const name of named) await import(`./bridge-${name}.mjs`);
