/* SPDX-License-Identifier: MIT
 * The clients under test: without them every test of the run is skipped. */

import { skipAll } from '../common/runner.mjs';
import { installed, whyMissing } from './installed.mjs';

export { folder, load, loadModern, pathOf, programOf } from './installed.mjs';

if (!installed) skipAll(whyMissing);
