/* SPDX-License-Identifier: MIT
 * The toolbox on emulated boards, over their UARTs, driven by a real client: a server command like any other. */

import { root } from '../host/program.mjs';
import { sdkFlavour } from './flavours.mjs';
import { testCommonScenarios } from './scenarios.mjs';

const boards = ['mps2-an385', 'microbit', 'riscv-virt', 'mega2560'];
const on = (board) => ({
	...sdkFlavour,
	name: `${sdkFlavour.name} on ${board}`,
	uart: true,
	tap: { program: ['make', '-s', '-C', root, '--no-print-directory', 'run', `BOARD=${board}`, 'APP=toolbox'] },
});

boards.map(on).forEach(testCommonScenarios);
