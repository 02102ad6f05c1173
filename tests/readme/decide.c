/* SPDX-License-Identifier: MIT
 * What a cancel does, for docs/cancellation.md: a line of its table for each row. */
#include "../../src/core/decide.h"

#include <stdio.h>

static const char *const rows[] = {
	[ROW_PARKED] = "parked",
	[ROW_PARKED_PARTIAL] = "parked, `QUASH_PARTIAL`",
	[ROW_PARKED_CANCELLED] = "parked, cancelled already",
	[ROW_RUNNING] = "running",
	[ROW_RUNNING_DROPS] = "running, a motion",
	[ROW_RUNNING_CANCELLED] = "running, cancelled already",
	[ROW_RECORDED] = "answer recorded",
	[ROW_BEGUN] = "answer begun",
	[ROW_OVER] = "over, or unknown",
};

static const char *const sources[] = {
	[SOURCE_ANSWERED] = "other side: ACP, LSP, plain",
	[SOURCE_SILENT] = "other side: MCP",
	[SOURCE_OWN] = "own",
	[SOURCE_SESSION] = "new session",
	[SOURCE_LINK] = "link",
};

typedef char all_rows[sizeof rows / sizeof rows[0] == CANCEL_ROWS ? 1 : -1];
typedef char all_sources[sizeof sources / sizeof sources[0] == CANCEL_SOURCES ? 1 : -1];

static void show(uint8_t action)
{
	static const char *const words[] = { "flag", "silence", "end" };
	const char *comma = "";
	if (action == 0)
		printf(" late |");
	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
		if ((action >> i & 1u) == 0)
			continue;
		printf("%s %s", comma, words[i]);
		comma = ",";
	}
	if (action != 0)
		printf(" |");
}

int main(void)
{
	printf("| the request |");
	for (unsigned source = 0; source < CANCEL_SOURCES; source++)
		printf(" %s |", sources[source]);
	printf("\n|---|---|---|---|---|---|\n");
	for (unsigned row = 0; row < CANCEL_ROWS; row++) {
		printf("| %s |", rows[row]);
		for (unsigned source = 0; source < CANCEL_SOURCES; source++)
			show(quash_decide((enum cancel_row)row, (enum cancel_source)source));
		printf("\n");
	}
	return 0;
}
