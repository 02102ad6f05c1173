/* SPDX-License-Identifier: MIT
 * The processors for which the library is measured, each with the compiler and the options of a board. */

import { isThere as hasTool, printed } from '../common/start.mjs';


const arm = (cpu) => ({ name: cpu, prefix: 'arm-none-eabi-', flags: [`-mcpu=${cpu}`, '-mthumb'],
	outside: ['-nostartfiles', '--specs=nano.specs'], family: 'arm' });

/** `outside`: what a program without a start is linked with, for the functions that compilers call by themselves. */
export const targets = [
	arm('cortex-m0plus'),
	arm('cortex-m3'),
	{ name: 'rv32imac', prefix: 'riscv64-unknown-elf-', flags: ['-march=rv32imac', '-mabi=ilp32', '-misa-spec=2.2'],
		outside: ['-nostdlib', '-nostartfiles', 'boards/firmware/memory.c', '-ffreestanding', '-lgcc'], family: 'riscv' },
	{ name: 'atmega2560', prefix: 'avr-', flags: ['-mmcu=atmega2560'], outside: ['-nostartfiles'], family: 'avr', returnAddress: 3 },
];

export const isThere = ({ prefix }) => hasTool(`${prefix}gcc`);

/** The compiler by name and full version. */
export function compilerVersion({ prefix }) {
	const version = (option) => printed(`${prefix}gcc`, [option], { stdio: ['ignore', 'pipe', 'ignore'] }).trim();
	try {
		return `${prefix}gcc ${version('-dumpfullversion')}`;
	} catch {
		return `${prefix}gcc ${version('-dumpversion')}`; /* before GCC 7 */
	}
}
