/* SPDX-License-Identifier: MIT
 * The host's agent. */

import { testAcpScenarios } from './acp-scenarios.mjs';

testAcpScenarios('');
