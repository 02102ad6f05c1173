/* SPDX-License-Identifier: MIT
 * What settings of hosts ask of the system, as the module asks it: numbers of questions, and answers in bytes. system.mjs knows them of Node. */

export const encoder = new TextEncoder();

/* enum shell_question of wasm_host.h, but for the words. */
const questions = ['own', 'isPackage', 'variable', 'folder', 'program', 'about', 'resolve', 'read', 'writeBeside', 'replace', 'remove', 'names'];

/* Of bridge_system.h. */
const systems = ['linux', 'macos', 'windows'], fileKinds = ['none', 'plain', 'folder', 'other', 'lostLink'];

/* struct file_about. */
function aboutBytes({ kind, mayWrite, mayStart, size, mark }) {
	const bytes = new Uint8Array(40), view = new DataView(bytes.buffer);
	view.setUint32(0, fileKinds.indexOf(kind), true);
	bytes.set([Number(mayWrite ?? 0), Number(mayStart ?? 0)], 4);
	[size ?? 0n, ...(mark ?? [0n, 0n, 0n])].forEach((number, i) => view.setBigUint64(8 + 8 * i, BigInt.asUintN(64, number), true));
	return bytes;
}

const inBytes = {
	own: (name) => encoder.encode(systems.indexOf(name)),
	isPackage: (is) => encoder.encode(Number(is)),
	about: aboutBytes,
	read: (bytes) => bytes,
	names: (names) => encoder.encode(names.map((name) => `${name}\0`).join('')),
};

/** Answers of `host.system`, whose functions throw words, or return null, where there is none: bytes, or null, for the number of a question and
 * the texts that are given. */
export function answering(host) {
	let words = '';
	const answer = (question, given) => {
		try {
			const answered = host.system[question](...given);
			if (answered !== null) return (inBytes[question] ?? ((text) => encoder.encode(text)))(answered); /* undefined: it is done */
			words = 'is not there';
		} catch (error) {
			if (typeof error !== 'string') throw error;
			words = error;
		}
		return null;
	};
	return (question, given) => (question < questions.length ? answer(questions[question], given) : encoder.encode(words));
}
