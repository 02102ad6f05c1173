/* SPDX-License-Identifier: MIT
 * Prompts of a Model Context Protocol server: messages that a person picks by name (2025-11-25 and 2026-07-28
 * server/prompts).
 *
 *     static const quash_mcp_prompt list[] = {
 *         QUASH_MCP_PROMPT("report", "Writes the day's report", &report_params, report) };
 *     static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(list);
 *     static const quash_mcp_part *const parts[] = { &prompts.part, NULL };
 *     static const quash_mcp_server server = { ..., .parts = parts };
 *     static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_PROMPTS(&server) };
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_PROMPTS_H
#define QUASH_MCP_PROMPTS_H

#include "cxx.h"

#ifdef __cplusplus
namespace quash {
/* See quash_mcp_prompts. As `part` has all of it, C++ finds the prompts of a server's part while it compiles. */
struct prompts_part {
	struct whole : quash_mcp_part {
		const quash_mcp_prompt *list;
		uint8_t count;
		constexpr whole(const quash_mcp_part &p, const quash_mcp_prompt *l, uint8_t n)
			: quash_mcp_part(p), list(l), count(n) {}
		template <typename element = quash_mcp_prompt> constexpr size_t largest() const
		{
			return sizes_of::known<element>(list, count);
		}
	} part;
	constexpr prompts_part(const quash_mcp_part &p, const quash_mcp_prompt *l, uint8_t n) : part(p, l, n) {}
};
}

extern "C" {
#endif

/** A prompt. Constant, may live in flash. */
typedef struct quash_mcp_prompt {
	const char *name;
	const char *title;        /**< for people, or NULL */
	const char *description;  /**< for people, or NULL */
	/** Its arguments and the size of its struct (QUASH_TOOL), or NULL for neither. Clients send strings only:
	 * QUASH_ARG_TEXT, QUASH_ARG_STRING, QUASH_ARG_ENUM and their `_OR`. */
	const quash_params *args;
	/** As a tool's handler. It ends with `return quash_mcp_prompt_text(...)` or one of its kin. */
	quash_handler *get;
	int32_t (*end)(quash_request *request);   /**< see `quash_motion.end`; or NULL. Runs if `get` was called */
	void (*released)(quash_request *request); /**< see `quash_method.released`; or NULL. Runs if `get` was called */
	uint32_t deadline;        /**< ms from getting a slot until it is cancelled; 0: none; at most 2^31 - 1 */
	uint8_t marks;            /**< QUASH_FINISHES: `get` is called again once cancelled, also with an `end`; or 0 */
} quash_mcp_prompt;

/** An entry of a prompt table, positional, for C and C++. */
#define QUASH_MCP_PROMPT(name, description, args, get) \
	{ (name), NULL, (description), (args), (get), NULL, NULL, 0, 0 }

/** The part of a server that offers prompts. Constant, may live in flash. In C++ `list` and `count` are members of
 * `part`. */
#ifdef __cplusplus
typedef quash::prompts_part quash_mcp_prompts;
#else
typedef struct quash_mcp_prompts {
	quash_mcp_part part;          /**< `{ &quash_mcp_prompts_kind }` */
	const quash_mcp_prompt *list;
	uint8_t count;
} quash_mcp_prompts;
#endif

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_prompts_kind;

/** The part with the prompts of an array, positional, for C and C++. */
#define QUASH_MCP_PROMPT_LIST(list) { { &quash_mcp_prompts_kind }, (list), (uint8_t)(sizeof(list) / sizeof((list)[0])) }

/** The entries of a method table for prompts. `server` points to a quash_mcp_server. The state they need is
 * QUASH_MCP_STATE with the largest prompt's struct. */
#define QUASH_MCP_PROMPTS(server) \
	QUASH_MCP_METHOD_("prompts/list", quash_mcp_prompts_list_, server, 0), \
	QUASH_HOOKED_("prompts/get", quash_mcp_prompts_get_, quash_mcp_prompts_end_, quash_mcp_prompts_released_, \
		server, sizeof(quash_mcp_slot), QUASH_LISTED)

/** The prompt that is got; NULL outside of `prompts/get`. */
const quash_mcp_prompt *quash_mcp_prompt_of_(const quash_request *request);

/* --- Results (its handler) ---------------------------------------------------------------------------
 *
 * Each records the answer and returns what `quash_reply` returns. */

/** A prompt of one message, the user's. A literal only. */
#define quash_mcp_prompt_text(request, literal) quash_mcp_prompt_text_((request), "" literal "")
/** What the macro above stands for. `text` must live until the answer has left: a constant. */
int32_t quash_mcp_prompt_text_(quash_request *request, const char *text);

/** What 0.3.0 had: docs/upgrading.md has each line, old and new. */
#define quash_mcp_prompt_literal(request, text) quash_mcp_prompt_literal_is_gone_write_quash_mcp_prompt_text

/** A prompt's messages, which `put` puts with `quash_mcp_put_message` or `quash_mcp_message`. */
int32_t quash_mcp_messages(quash_request *request, quash_put *put);

/** Puts a message of one text.
 *
 * @param role  `user` or `assistant` */
void quash_mcp_put_message(quash_writer *w, const char *role, const char *text);

/** Begins a message: a content block (an object with `type`) is put next, then `quash_put_end`. */
void quash_mcp_message(quash_writer *w, const char *role);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_mcp_prompts_list_; /**< with pagination; bad cursor -32602 */
quash_handler quash_mcp_prompts_get_;  /**< unknown name, or arguments that do not fit: -32602 */
int32_t quash_mcp_prompts_end_(quash_request *request);   /**< the `end` hook of `prompts/get` */
void quash_mcp_prompts_released_(quash_request *request); /**< the `released` hook of `prompts/get` */

#ifdef __cplusplus
}

/* --- With named members, in C++11: see cxx.h ---------------------------------------------------------------- */

namespace quash {

/** A prompt, see quash_mcp_prompt. */
class mcp_prompt {
	struct titles { const char *name, *title, *description; const quash_params *args; };
	struct getter { quash_handler *get; int32_t (*end)(quash_request *); void (*released)(quash_request *); };
	struct bounds { uint32_t deadline; uint8_t marks; };
	titles names;
	getter hooks;
	bounds own;
	constexpr mcp_prompt(titles names_, getter hooks_, bounds own_) : names(names_), hooks(hooks_), own(own_) {}
	constexpr mcp_prompt with(const titles &g) const { return mcp_prompt(g, hooks, own); }
	constexpr mcp_prompt with(const getter &g) const { return mcp_prompt(names, g, own); }
	constexpr mcp_prompt with(const bounds &g) const { return mcp_prompt(names, hooks, g); }

public:
	/** With what every prompt has. */
	constexpr mcp_prompt(const char *name, const char *description, quash_handler *get)
		: names{ name, nullptr, description, nullptr }, hooks{ get, nullptr, nullptr }, own() {}
	template <typename result, typename... arguments>
	constexpr mcp_prompt(const char *name, const char *description, result (*)(arguments...))
		: mcp_prompt(name, description, no_handler<result(arguments...)>()) {}
	constexpr mcp_prompt title(const char *t) const
	{
		return with(titles{ names.name, t, names.description, names.args });
	}
	constexpr mcp_prompt args(const quash_params *p) const
	{
		return with(titles{ names.name, names.title, names.description, p });
	}
	constexpr mcp_prompt end(int32_t (*f)(quash_request *)) const
	{
		return with(getter{ hooks.get, f, hooks.released });
	}
	constexpr mcp_prompt released(void (*f)(quash_request *)) const { return with(getter{ hooks.get, hooks.end, f }); }
	constexpr mcp_prompt deadline(int64_t ms) const
	{
		return with(bounds{ narrowed<uint32_t>(ms, UINT32_MAX, wrong::prompts::deadline_is_too_large), own.marks });
	}
	constexpr mcp_prompt marks(int64_t m) const
	{
		return with(bounds{ own.deadline, narrowed<uint8_t>(m, UINT8_MAX, wrong::prompts::marks_do_not_go_together) });
	}
	constexpr operator quash_mcp_prompt() const
	{
		return { names.name, names.title, names.description, names.args, hooks.get, hooks.end, hooks.released,
			own.deadline, own.marks };
	}
};

}

/* --- What quash_init finds */

namespace quash {
template <> struct rules<quash_mcp_prompt> {
	static constexpr entry_key key(const quash_mcp_prompt &p) { return { p.name, 0 }; }
	template <size_t N> static constexpr int check(const quash_mcp_prompt &p, const entry_keys<N> &keys, size_t index)
	{
		return is_missing(p.name) ? wrong::prompts::name_is_missing() :
			*p.name == '\0' ? wrong::prompts::name_is_no_name() :
			clashes_before(keys, keys.at[index], index) ? wrong::prompts::name_stands_twice() :
			is_missing(p.get) ? wrong::prompts::get_is_missing() :
			is_late(p.deadline) ? wrong::prompts::deadline_is_too_large() :
			are_wrong_marks_of(p.marks, !is_missing(p.end)) ? wrong::prompts::marks_do_not_go_together() : 0;
	}
};

template <size_t N>
constexpr int check_structs_(structs_of<quash_mcp_prompt, N>, const quash_mcp_part *const *part, size_t room)
{
	return has_larger_<quash_mcp_prompts>(part, room) ? wrong::prompts::state_size_is_too_small() : 0;
}

/** The part with the prompts of an array. */
template <size_t N>
constexpr quash_mcp_prompts mcp_prompts(const quash_mcp_prompt (&list)[N])
{
	static_assert(N <= UINT8_MAX, "prompts: count is too large: a part has at most 255 prompts");
	return { { &quash_mcp_prompts_kind }, list, counted<N>(check_table<N>(list)) };
}

template <typename element, size_t N>
constexpr quash_mcp_prompts mcp_prompts(element (&&)[N])
{
	return { { &quash_mcp_prompts_kind }, nullptr, no_table<N>() };
}
}
#endif
#endif
