/* SPDX-License-Identifier: MIT
 * The programs of every board, emulated, over their UARTs, driven by real clients: commands like any other. */

import { testAcpScenarios } from './acp-scenarios.mjs';
import { boards, command, has, modes } from './boards.mjs';
import { testClientsInTurn } from './clients-in-turn.mjs';
import { modernFlavour, sdkFlavour } from './flavours.mjs';
import { testLspScenarios } from './lsp-scenarios.mjs';
import { testLspTestee } from './lsp-testee.mjs';
import { testCommonScenarios } from './scenarios.mjs';

/** The board that has room for the toolbox alone shows that it has room for both eras: what each request of the modern one
 * carries takes most of its arena. */
const flavoursOn = (board) => (has(board, 'testee') ? [sdkFlavour] : [sdkFlavour, modernFlavour]);

for (const board of boards) for (const mode of modes) {
	const name = ` on ${board}${mode.name}`;
	const how = (program) => ({ command: command(board, program, mode), uart: true });
	for (const flavour of flavoursOn(board))
		testCommonScenarios({ ...flavour, name: flavour.name + name, uart: true, tap: { program: how('toolbox').command } });
	testClientsInTurn({ ...sdkFlavour, name: sdkFlavour.name + name }, how('toolbox').command);
	if (has(board, 'agent')) testAcpScenarios(name, how('agent'));
	if (has(board, 'langserver')) testLspScenarios(name, how('langserver'));
	if (has(board, 'testee')) testLspTestee(name, how('tests/testee-lsp'));
}
