/* SPDX-License-Identifier: MIT
 * The official MCP clients speak with a toolbox over TCP, both of its ends lwIP's: see relay.c. */

import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { modernFlavour, sdkFlavour } from '../interop/flavours.mjs';
import { testCommonScenarios } from '../interop/scenarios.mjs';

const program = [join(root, 'build/host/tests/lwip/relay')];
for (const flavour of [sdkFlavour, modernFlavour])
	testCommonScenarios({ ...flavour, name: `${flavour.name} over lwIP`, tap: { program } });
