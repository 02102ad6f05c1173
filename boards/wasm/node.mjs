/* SPDX-License-Identifier: MIT
 * What the shell takes of Node: a host of another kind gives it the same. */

import { uptime } from 'node:os';
import { Clock } from './clock.mjs';
import { Door } from './doors.mjs';
import { wordsOf } from './words.mjs';

export const nodeClock = () => new Clock({ uptime: () => uptime() * 1000, countsSleep: process.platform === 'win32' });

export const node = { Door, soon: setImmediate, wordsOf };
