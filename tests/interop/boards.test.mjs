/* SPDX-License-Identifier: MIT
 * The programs of every board, emulated, over their UARTs, driven by real clients: commands like any other. */

import { testAcpScenarios } from './acp-scenarios.mjs';
import { boards, command, has, modes } from './boards.mjs';
import { testClientsInTurn } from './clients-in-turn.mjs';
import { sdkFlavour } from './flavours.mjs';
import { testLspScenarios } from './lsp-scenarios.mjs';
import { testLspTestee } from './lsp-testee.mjs';
import { testCommonScenarios } from './scenarios.mjs';

for (const board of boards) for (const mode of modes) {
	const name = ` on ${board}${mode.name}`;
	const how = (program) => ({ command: command(board, program, mode), uart: true });
	testCommonScenarios({
		...sdkFlavour, name: sdkFlavour.name + name, uart: true, tap: { program: how('toolbox').command } });
	testClientsInTurn({ ...sdkFlavour, name: sdkFlavour.name + name }, how('toolbox').command);
	if (has(board, 'agent')) testAcpScenarios(name, how('agent'));
	if (has(board, 'langserver')) testLspScenarios(name, how('langserver'));
	if (has(board, 'testee')) testLspTestee(name, how('tests/testee-lsp'));
}
