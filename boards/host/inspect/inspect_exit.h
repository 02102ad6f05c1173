/* SPDX-License-Identifier: MIT
 * The exit codes: see docs/inspect.md. */
#ifndef INSPECT_EXIT_H
#define INSPECT_EXIT_H

enum exit_code { EXIT_RESULT = 0, EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_NO_ANSWER = 3, EXIT_ADVICE = 4, EXIT_CANCELLED = 130 };

#endif
