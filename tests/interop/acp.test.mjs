/* SPDX-License-Identifier: MIT
 * The agent as it is, and with every byte by itself. */

import { testAcpScenarios } from './acp-scenarios.mjs';

testAcpScenarios('');
testAcpScenarios(', byte by byte', { cut: true });
