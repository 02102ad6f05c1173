/* SPDX-License-Identifier: MIT
 * The result of a tool for people: 2025-11-25 server/tools "Tool Result". */
#include "inspect_mcp.h"

#include "inspect_show.h"

#include <string.h>

static void note_member(quash_value object, const char *name)
{
	const quash_value value = quash_get(object, name);
	if (quash_kind_of(value) == QUASH_NONE)
		return;
	note_part(" ");
	note_value(value);
}

/* What a terminal cannot show is described. */
static void describe(quash_value block)
{
	const quash_value data = quash_get(block, "data"), resource = quash_get(block, "resource");
	note_open();
	note_value(quash_get(block, "type"));
	note_member(block, "mimeType");
	note_member(block, "name");
	note_member(block, "uri");
	note_member(resource, "uri");
	if (quash_kind_of(data) == QUASH_STRING)
		note_part(", %zu characters of base64 (--json shows them)", quash_length(data));
	note_close();
}

static void show_block(quash_value block)
{
	const quash_value text = quash_get(block, "text"), inner = quash_get(block, "resource.text");
	if (quash_is(quash_get(block, "type"), "text") || quash_kind_of(inner) == QUASH_STRING) {
		show_value(quash_kind_of(inner) == QUASH_STRING ? inner : text);
		show_line_end();
	} else {
		describe(block);
	}
}

int mcp_show_result(struct link *link, quash_value result)
{
	const quash_value content = quash_get(result, "content"),
			  structured = quash_get(result, "structuredContent");
	quash_value cursor = { 0 }, block;
	bool any = false;
	(void)link;
	for (; quash_next(content, &cursor, NULL, &block); any = true)
		show_block(block);
	if (!any && quash_kind_of(structured) != QUASH_NONE)
		show_json(structured);
	else if (quash_kind_of(content) != QUASH_ARRAY)
		show_json(result); /* no result of a tool, or one that asks for more (2026-07-28 `input_required`) */
	if (quash_kind_of(quash_get(result, "isError")) != QUASH_TRUE)
		return EXIT_RESULT;
	note("the tool says that it has failed");
	return EXIT_ERROR;
}
