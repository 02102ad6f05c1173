/* SPDX-License-Identifier: MIT
 * The toolbox and the agent on emulated boards, over their UARTs, driven by real clients: commands like any other. */

import { root } from '../host/program.mjs';
import { testAcpScenarios } from './acp-scenarios.mjs';
import { sdkFlavour } from './flavours.mjs';
import { testCommonScenarios } from './scenarios.mjs';

const boards = ['mps2-an385', 'microbit', 'riscv-virt', 'mega2560', 'lm3s6965evb'];
const command = (board, app) => ['make', '-s', '-C', root, '--no-print-directory', 'run', `BOARD=${board}`, `APP=${app}`];

for (const board of boards) {
	testCommonScenarios({
		...sdkFlavour, name: `${sdkFlavour.name} on ${board}`, uart: true, tap: { program: command(board, 'toolbox') } });
	testAcpScenarios(` on ${board}`, { command: command(board, 'agent'), uart: true });
}
