/* SPDX-License-Identifier: MIT
 * All tests of the host's programs in one run. */

import './agent.mjs';
import './blackbox.mjs';
import './toolbox.mjs';
import './langserver.mjs';
import './linked.mjs';
import './inspect.mjs';
import './inspect-others.mjs';
import './inspect-devices.mjs';
import './inspect-replay.mjs';
import './inspect-manual.mjs';
import './children.mjs';
import './stopping.mjs';
import './gathering.mjs';
import './tracing.mjs';
