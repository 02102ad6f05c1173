/* SPDX-License-Identifier: MIT
 * What schemas of MCP have beyond params.h: choices with titles, several choices, arguments that stand in a field of
 * HTTP too, and JSON of a program's own. And `extensions`.
 *
 *     static const quash_choice sides[] = { { "l", "Left" }, { "r", "Right" }, { NULL, NULL } };
 *     static const quash_param args[] = { QUASH_ARG_TITLED(struct turn, side, sides, "where to") };
 *
 * Each is linked only where it is named. All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_SCHEMA_H
#define QUASH_MCP_SCHEMA_H

#include "mcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Choices (2025-11-25 client/elicitation "Supported Schema Types") ---------------------------------------- */

/** One of a list, which ends with one whose name is NULL. Constant. */
typedef struct quash_choice {
	const char *name;  /**< as in JSON */
	const char *title; /**< for people; NULL for all of a list, or for none */
} quash_choice;

/** One of `choices`, of which there are up to 255; field: uint8_t, its index. The schema has titles (`oneOf`). */
#define QUASH_ARG_TITLED(s, f, choices, description) \
	QUASH_ARG_(s, f, uint8_t *, quash_param_titled, description, choices, 0, 0, 0, 0, 0, false)
#define QUASH_ARG_TITLED_OR(s, f, choices, fallback, description) \
	QUASH_ARG_(s, f, uint8_t *, quash_param_titled, description, choices, 0, 0, fallback, 0, 0, true)

/** From `least` to `most` of `choices`, of which there are up to 32; field: uint32_t, a bit for each, that of the first
 * being 1. With titles the schema has `anyOf`, without `enum`. `fallback`: the bits of an absent one. */
#define QUASH_ARG_CHOICES(s, f, choices, least, most, description) \
	QUASH_ARG_(s, f, uint32_t *, quash_param_choices, description, choices, least, most, 0, 0, 0, false)
#define QUASH_ARG_CHOICES_OR(s, f, choices, least, most, fallback, description) \
	QUASH_ARG_(s, f, uint32_t *, quash_param_choices, description, choices, least, most, (int32_t)(fallback), \
		0, 0, true)

extern const quash_param_type quash_param_titled;     /**< QUASH_ARG_TITLED */
extern const quash_param_type quash_param_enum_names; /**< as that, for clients before 2025-11-25: `enumNames` */
extern const quash_param_type quash_param_choices;    /**< QUASH_ARG_CHOICES */

/* --- Arguments in fields of HTTP (2026-07-28 basic/transports/streamable-http "Custom Headers") ---------------- */

/** An argument that clients repeat in the field `Mcp-Param-HEADER`: an integer, a boolean, or a text that has a field
 * in the struct. Whoever serves HTTP compares the two; quash-bridge does. Constant. */
typedef struct quash_header_param {
	quash_param param;  /**< made by one of the macros of params.h */
	const char *header; /**< a token of RFC 9110, such as `Region` */
} quash_header_param;

/** The entry of a table for it. `name` as in `headed->param`, whose field is one of the table's struct: `quash_init`
 * does not check that. `_OR`: for one that may be absent. */
#define QUASH_ARG_HEADER(name, headed) \
	{ (name), NULL, &quash_param_header, (headed), 0, 0, 0, 0, 0, 0, false }
#define QUASH_ARG_HEADER_OR(name, headed) \
	{ (name), NULL, &quash_param_header, (headed), 0, 0, 0, 0, 0, 0, true }

extern const quash_param_type quash_param_header; /**< QUASH_ARG_HEADER */

/* --- Schemas as JSON ---------------------------------------------------------------------------------- */

/** A member of a schema, as JSON. Constant; a list of them ends with one whose key is NULL. */
typedef struct quash_schema_member {
	const char *key;
	const char *json; /**< a value, as `quash_put_raw` takes it */
} quash_schema_member;

/** An argument of any kind that stays in the params, as a QUASH_ARG_STRING does. Its schema is these members. The tool
 * looks itself whether what came fits. */
#define QUASH_ARG_JSON(name, members, description) \
	{ (name), (description), &quash_param_json, (members), 0, 0, 0, 0, 0, 0, false }
#define QUASH_ARG_JSON_OR(name, members, description) \
	{ (name), (description), &quash_param_json, (members), 0, 0, 0, 0, 0, 0, true }

extern const quash_param_type quash_param_json; /**< QUASH_ARG_JSON */

/** What stands beside `properties` in the input schema of each tool of a server that has a table: for `closed` of a
 * quash_mcp_server. Constant.
 *
 *     static void put_schema_members(quash_writer *w)
 *     {
 *         quash_put_key(w, "$defs");
 *         quash_put_raw(w, "{\"point\":{\"type\":\"array\"}}");
 *     }
 *     static const struct quash_mcp_closed_code schema_code = { put_schema_members }; */
struct quash_mcp_closed_code {
	void (*put)(quash_writer *w); /**< puts keys and values into the open object */
};

/* --- Extensions (2026-07-28 basic "Extension Negotiation") ----------------------------------------------------- */

/** A part of a server that announces extensions. Its table has QUASH_MCP_MODERN. Constant. */
typedef struct quash_mcp_extensions {
	quash_mcp_part part; /**< `{ &quash_mcp_extensions_kind }` */
	const char *json;    /**< the object, such as `{"com.example/gripper":{}}` */
} quash_mcp_extensions;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_extensions_kind;

#ifdef __cplusplus
}
#endif
#endif
