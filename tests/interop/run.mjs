/* SPDX-License-Identifier: MIT
 * All interop tests in one run. */

import './mcp-sdk.test.mjs';
import './mcp-client.test.mjs';
import './gallery-sdk.test.mjs';
import './gallery-client.test.mjs';
import './inspector.test.mjs';
import './middlemen.test.mjs';
import './bridge.test.mjs';
import './vscode-jsonrpc.test.mjs';
import './inspect.test.mjs';
import './sizing.test.mjs';
import './acp.test.mjs';
import './connect.test.mjs';
import './picture.test.mjs';
import './readme.test.mjs';
import './http.test.mjs';
