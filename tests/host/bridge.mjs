/* SPDX-License-Identifier: MIT
 * All black-box tests of quash-bridge but those that go on for long: bridge-plugs.mjs. */

import './bridge-session.mjs';
import './bridge-line.mjs';
import './bridge-diagnosis.mjs';
import './bridge-end.mjs';
import './bridge-clients.mjs';
import './bridge-asked.mjs';
import './bridge-sessions.mjs';
import './bridge-whose.mjs';
import './bridge-strangers.mjs';
import './bridge-texts.mjs';
import './bridge-devices.mjs';
import './bridge-options.mjs';
import './bridge-hosts.mjs';
import './bridge-install.mjs';
import './bridge-service.mjs';
import './bridge-fair.mjs';
import './bridge-unread.mjs';
