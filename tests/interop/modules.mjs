/* SPDX-License-Identifier: MIT
 * The clients under test: without them every test of the run is skipped. */

import { installed, whyMissing } from '../common/npm/modules.mjs';
import { skipAll } from '../common/runner.mjs';

export * from '../common/npm/modules.mjs';

if (!installed) skipAll(whyMissing);
