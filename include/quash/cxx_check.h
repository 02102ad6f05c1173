/* SPDX-License-Identifier: MIT
 * Finds what is wrong with tables, servers and configs in C++11, while they compile. cxx.h uses it, programs do not. A
 * wrong table calls a function that is not constexpr, and whose name is what `quash_init` says of it: the compiler
 * prints `call to non-constexpr function 'int quash::wrong::tools::name_stands_twice()'`. Cost: none. */
#ifndef QUASH_CXX_CHECK_H
#define QUASH_CXX_CHECK_H

#include "mcp.h"

#ifdef __cplusplus
extern "C" {
extern const struct quash_mcp_kind quash_mcp_confirm_kind;    /**< see mcp_confirm.h */
extern const struct quash_mcp_kind quash_mcp_extensions_kind; /**< see mcp_schema.h */
extern const struct quash_mcp_kind quash_mcp_prompts_kind;    /**< see mcp_prompts.h */
extern const struct quash_mcp_kind quash_mcp_resources_kind;  /**< see mcp_resources.h */
extern const struct quash_mcp_kind quash_mcp_completion_kind; /**< see mcp_completion.h */
extern const struct quash_mcp_kind quash_mcp_logging_kind;    /**< see mcp_logging.h */
extern const struct quash_mcp_kind quash_mcp_input_kind;      /**< see mcp_input.h */
extern const quash_mcp_part quash_mcp_ask_part;               /**< see mcp_ask.h */
}
struct quash_mcp_prompt;
struct quash_mcp_resource;

namespace quash {

/* No such function has a body. One that is called all the same is of a table that is not constexpr. */
#if defined(__has_attribute)
#if __has_attribute(error)
#define QUASH_WRONG_ __attribute__((error("the table is wrong, or it is not constexpr"))) int
#endif
#elif defined(__GNUC__)
#define QUASH_WRONG_ __attribute__((error("the table is wrong, or it is not constexpr"))) int
#endif
#ifndef QUASH_WRONG_
#define QUASH_WRONG_ int
#endif

namespace wrong {
namespace config {
QUASH_WRONG_ dialect_is_missing(), slot_count_is_too_small(), slot_count_is_too_large(), slots_is_missing(),
	id_size_is_too_small(), id_size_is_too_large(), ids_is_missing(), word_size_is_too_small(),
	word_size_is_too_large(), word_is_missing(), arena_size_is_too_small(), arena_size_is_too_large(),
	arena_is_missing(), tx_size_is_too_small(), tx_size_is_too_large(), tx_is_missing(), tag_size_is_too_large(),
	tags_is_missing(), text_size_is_too_large(), texts_is_missing(), state_size_is_too_large(), states_is_missing(),
	initialize_is_missing(), new_session_is_needed_and_not_named();
}
namespace methods {
QUASH_WRONG_ name_is_missing(), name_is_too_long(), name_stands_twice(), name_is_served_by_the_dialect_itself(),
	word_size_is_too_small(), motion_end_is_missing_though_it_moves_something(),
	motion_longest_is_0_for_what_moves_something(), motion_longest_is_too_large(), motion_lease_is_too_large(),
	marks_do_not_go_together(), handler_is_missing(), state_size_is_too_small(), state_size_is_too_large(),
	data_is_missing(), part_is_missing();
}
namespace tools {
QUASH_WRONG_ name_is_missing(), name_is_no_name(), name_is_too_long(), name_stands_twice(), call_is_missing(),
	output_schema_stands_beside_what_takes_its_place(), busy_needs_a_group(), hints_is_too_large(),
	marks_do_not_go_together(), motion_end_is_missing_though_it_moves_something(),
	motion_longest_is_0_for_what_moves_something(), motion_longest_is_too_large(), motion_lease_is_too_large(),
	state_size_is_too_small();
}
namespace server {
QUASH_WRONG_ name_is_missing(), version_is_missing(), session_is_missing(), token_size_is_too_large(),
	page_is_too_large(), changes_is_too_large(), state_size_is_too_small(), leases_is_needed_and_not_named(),
	modern_is_needed_and_not_named(), QUASH_MCP_MODERN_is_missing(), QUASH_MCP_TOOLS_is_missing(),
	QUASH_MCP_PROMPTS_is_missing(), QUASH_MCP_RESOURCES_is_missing(), QUASH_MCP_COMPLETION_is_missing(),
	QUASH_MCP_LOGGING_is_missing(), QUASH_MCP_SUBSCRIBE_is_missing(), tools_is_missing(), watches_is_missing(),
	parts_is_missing(), parts_are_not_served_by_QUASH_MCP_DEVICE();
}
namespace prompts {
QUASH_WRONG_ name_is_missing(), name_is_no_name(), name_stands_twice(), get_is_missing(), deadline_is_too_large(),
	marks_do_not_go_together(), state_size_is_too_small();
}
namespace resources {
QUASH_WRONG_ uri_is_missing(), uri_is_no_name(), uri_stands_twice(), name_is_missing(), read_is_missing(),
	deadline_is_too_large(), marks_do_not_go_together(), state_size_is_too_small(), state_size_is_too_large();
}
}
#undef QUASH_WRONG_

/* --- Numbers */

/** A number that its member has room for. */
template <typename T>
constexpr T narrowed(int64_t n, int64_t most, int (*wrong)())
{
	return static_cast<T>(n >= 0 && n <= most ? n : wrong());
}

/* --- Of other types */

/* Reached only with a function of another type, whatever the compiler permits. */
template <typename function>
constexpr quash_handler *no_handler()
{
	static_assert(same_type<function, void>::yes, "a handler, and an end, is int32_t name(quash_request *request)");
	return quash_mcp_ping_;
}

/* Reached only with a table that is gone with its line. */
template <size_t N>
constexpr uint8_t no_table()
{
	static_assert(N == 0, "a temporary table is gone with its line: static constexpr ... name[] = { ... }");
	return 0;
}

/* --- Names */

constexpr bool is_tool_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
		c == '.';
}

/* How many characters of tools' names it begins with: up to `most`. */
constexpr size_t tool_length(const char *name, size_t most)
{
	return most == 0 || !is_tool_character(*name) ? 0 : 1 + tool_length(name + 1, most - 1);
}

/* --- Motion */

constexpr bool is_absent(const quash_motion &m)
{
	return is_missing(m.end) && m.longest == 0 && m.lease == 0 && is_missing(m.group);
}

/** The first thing that is wrong with a motion. */
enum class motion_fault { none, no_end, no_longest, long_longest, long_lease };

constexpr motion_fault fault_of_motion(const quash_motion &m)
{
	return is_absent(m) ? motion_fault::none :
		is_missing(m.end) ? motion_fault::no_end :
		m.longest == 0 ? motion_fault::no_longest :
		m.longest > INT32_MAX && m.longest != QUASH_NO_LIMIT ? motion_fault::long_longest :
		m.lease > INT32_MAX ? motion_fault::long_lease : motion_fault::none;
}

/* Marks of a prompt or a resource. */
constexpr bool are_wrong_marks_of(unsigned marks, bool ends)
{
	return (marks & ~static_cast<unsigned>(QUASH_FINISHES)) != 0 || (marks != 0 && !ends);
}

constexpr bool is_late(uint32_t deadline)
{
	return deadline > INT32_MAX && deadline != QUASH_NO_LIMIT;
}

/* --- Tools */

/* As C's checks have them. */
enum : size_t {
	LONGEST_TOOL_NAME = 128, LONGEST_TOKEN = 232, LARGEST_TAG = 254, LARGEST = static_cast<quash_size>(-1)
};

constexpr int check_tool_name(const char *name)
{
	return is_missing(name) ? wrong::tools::name_is_missing() :
		tool_length(name, LONGEST_TOOL_NAME + 1) > LONGEST_TOOL_NAME ? wrong::tools::name_is_too_long() :
		*name == '\0' || name[tool_length(name, LONGEST_TOOL_NAME)] != '\0' ? wrong::tools::name_is_no_name() : 0;
}

constexpr int check_motion(const quash_mcp_tool &t)
{
	return fault_of_motion(t.motion) == motion_fault::no_end ?
			wrong::tools::motion_end_is_missing_though_it_moves_something() :
		fault_of_motion(t.motion) == motion_fault::no_longest ?
		wrong::tools::motion_longest_is_0_for_what_moves_something() :
		fault_of_motion(t.motion) == motion_fault::long_longest ? wrong::tools::motion_longest_is_too_large() :
		fault_of_motion(t.motion) == motion_fault::long_lease ? wrong::tools::motion_lease_is_too_large() : 0;
}

constexpr int check_tool(const quash_mcp_tool &t)
{
	return is_missing(t.call) ? wrong::tools::call_is_missing() :
		!is_missing(t.output) && !is_missing(t.output_schema) ?
		wrong::tools::output_schema_stands_beside_what_takes_its_place() :
		!is_missing(t.busy) && is_missing(t.motion.group) ? wrong::tools::busy_needs_a_group() :
		(t.marks & ~QUASH_FINISHES) != 0 || (t.marks != 0 && is_missing(t.motion.end)) ?
		wrong::tools::marks_do_not_go_together() : 0;
}

/* --- Methods */

constexpr int check_motion(const quash_method &m)
{
	return fault_of_motion(m.motion) == motion_fault::no_end ?
			wrong::methods::motion_end_is_missing_though_it_moves_something() :
		fault_of_motion(m.motion) == motion_fault::no_longest ?
		wrong::methods::motion_longest_is_0_for_what_moves_something() :
		fault_of_motion(m.motion) == motion_fault::long_longest ? wrong::methods::motion_longest_is_too_large() :
		fault_of_motion(m.motion) == motion_fault::long_lease ? wrong::methods::motion_lease_is_too_large() : 0;
}

constexpr bool are_wrong_marks(unsigned marks, bool ends)
{
	return marks >= 2 * QUASH_NEVER_BUSY || ((marks & QUASH_FINISHES) != 0 && !ends) ||
		((marks & QUASH_PARTIAL) != 0 && ends && (marks & QUASH_FINISHES) == 0) ||
		((marks & QUASH_NOTIFICATION) != 0 && (marks & (QUASH_PARTIAL | QUASH_SESSION)) != 0);
}

constexpr bool is_cancel_of(const quash_dialect *d, const char *name)
{
	return is_known(d, &quash_mcp) ? is_same_text(name, "notifications/cancelled") :
		is_known(d, &quash_lsp) ? is_same_text(name, "$/cancelRequest") :
		is_known(d, &quash_jsonrpc) &&
		(is_same_text(name, "$/cancelRequest") || is_same_text(name, "$/cancel_request"));
}

constexpr int check_method(const quash_method &m)
{
	return is_missing(m.name) ? wrong::methods::name_is_missing() :
		are_wrong_marks(m.marks, !is_missing(m.motion.end)) ? wrong::methods::marks_do_not_go_together() :
		is_missing(m.handler) ? wrong::methods::handler_is_missing() : 0;
}

/* What an MCP server wants of its entries. */
constexpr int check_mcp_entry(const quash_method &m)
{
	return is_known(m.handler, quash_mcp_tools_call_) && !is_known(m.motion.end, quash_mcp_tools_end_) ?
		wrong::methods::motion_end_is_missing_though_it_moves_something() :
		is_missing(m.data) && (is_known(m.handler, quash_mcp_tools_call_) ||
			is_known(m.handler, quash_mcp_initialize_) || is_known(m.handler, quash_mcp_server_discover_)) ?
		wrong::methods::data_is_missing() : 0;
}

/* What tells entries apart, so that no compiler copies whole entries to compare their names. */
struct entry_key { const char *name; uint8_t marks; };
template <size_t N> struct entry_keys { entry_key at[N]; };

/* Methods alone have such marks. */
constexpr bool clashes(const entry_key &a, const entry_key &b)
{
	return is_same_text(a.name, b.name) &&
		(((a.marks ^ b.marks) & QUASH_NOTIFICATION) == 0 || ((a.marks ^ b.marks) & QUASH_LISTED) != 0);
}

template <size_t N>
constexpr bool clashes_before(const entry_keys<N> &keys, const entry_key &key, size_t index)
{
	return index > 0 && (clashes(keys.at[index - 1], key) || clashes_before(keys, key, index - 1));
}

/** What is wanted of an entry, for each type of entries. `keys` are those of its table. */
template <typename T> struct rules;

template <> struct rules<quash_mcp_tool> {
	static constexpr entry_key key(const quash_mcp_tool &t) { return { t.name, 0 }; }
	template <size_t N> static constexpr int check(const quash_mcp_tool &t, const entry_keys<N> &keys, size_t index)
	{
		return check_tool_name(t.name) +
			(clashes_before(keys, keys.at[index], index) ? wrong::tools::name_stands_twice() : 0) +
			check_tool(t) + check_motion(t);
	}
};

template <> struct rules<quash_method> {
	static constexpr entry_key key(const quash_method &m) { return { m.name, m.marks }; }
	template <size_t N> static constexpr int check(const quash_method &m, const entry_keys<N> &keys, size_t index)
	{
		return check_method(m) +
			(clashes_before(keys, keys.at[index], index) ? wrong::methods::name_stands_twice() : 0) + check_motion(m);
	}
};

/** The entry with that index of a table. */
template <size_t index> struct entry {
	template <typename T, size_t N> static constexpr int check(const T *table, const entry_keys<N> &keys)
	{
		return rules<T>::check(table[index], keys, index);
	}
};

template <typename T, size_t... index>
constexpr int check_entries(const T *table, const entry_keys<sizeof...(index)> &keys, indices<index...>)
{
	return looked_at(entry<index>::check(table, keys)...);
}

template <size_t N, typename T, size_t... index>
constexpr entry_keys<N> keys_of(const T *table, indices<index...>)
{
	return { { rules<T>::key(table[index])... } };
}

/** Each of a table's entries. The name of `entry` has the index of a wrong one. */
template <size_t N, typename T>
constexpr int check_table(const T *table)
{
	return check_entries(table, keys_of<N>(table, typename indices_below<N>::type()),
		typename indices_below<N>::type());
}

/** How many that are, once they were looked at. */
template <size_t N>
constexpr uint8_t counted(int)
{
	return static_cast<uint8_t>(N);
}

/* --- Servers */

constexpr size_t size_of_struct(const quash_params *table)
{
	return is_missing(table) ? 0 : table->size;
}

/* The sizes of structs of an entry: of a tool, a prompt, a resource. */
struct sizes_of {
	static constexpr size_t both(size_t a, size_t b) { return a > b ? a : b; }
	template <typename element> static constexpr auto entry(const element &e) -> decltype(e.call, size_t())
	{
		return both(size_of_struct(e.args), size_of_struct(e.output));
	}
	template <typename element> static constexpr auto entry(const element &e) -> decltype(e.get, size_t())
	{
		return size_of_struct(e.args);
	}
	template <typename element> static constexpr auto entry(const element &e) -> decltype(e.read, size_t())
	{
		return e.state_size;
	}
	template <typename element> static constexpr size_t all(const element *list, size_t n)
	{
		return n == 0 ? 0 : both(entry(*list), all(list + 1, n - 1));
	}
	/* Of a part's list. */
	template <typename element> static constexpr size_t known(const element *list, size_t n)
	{
		return n > 0 && __builtin_constant_p(list->marks) ? all(list, n) : 0;
	}
};

template <typename T>
constexpr bool has_lease(const T *table, size_t count)
{
	return count > 0 && (table->motion.lease > 0 || has_lease(table + 1, count - 1));
}

constexpr int check_server(const quash_mcp_server &s)
{
	return is_missing(s.name) ? wrong::server::name_is_missing() :
		is_missing(s.version) ? wrong::server::version_is_missing() :
		is_missing(s.session) ? wrong::server::session_is_missing() :
		is_missing(s.leases) && has_lease(s.tools, s.tool_count) ? wrong::server::leases_is_needed_and_not_named() : 0;
}

constexpr quash_mcp_server checked(const quash_mcp_server &s)
{
	return check_server(s) == 0 ? s : s;
}

/* Parts that have none: the methods of tools are enough. */
constexpr bool are_without_methods(const quash_mcp_part *const *part)
{
	return is_missing(part) || is_missing(*part) ||
		((is_known((*part)->kind, &quash_mcp_confirm_kind) || is_known((*part)->kind, &quash_mcp_extensions_kind)) &&
			are_without_methods(part + 1));
}

/* --- Configs */

constexpr int check_memory(const quash_config &c)
{
	return c.slot_count < 1 ? wrong::config::slot_count_is_too_small() :
		c.slot_count > QUASH_SLOTS_MAX ? wrong::config::slot_count_is_too_large() :
		is_missing(c.slots) ? wrong::config::slots_is_missing() :
		c.id_size < QUASH_ID_MIN ? wrong::config::id_size_is_too_small() :
		is_missing(c.ids) ? wrong::config::ids_is_missing() :
		c.word_size < QUASH_WORD_MIN ? wrong::config::word_size_is_too_small() :
		is_missing(c.word) ? wrong::config::word_is_missing() :
		c.arena_size < QUASH_ARENA_MIN ? wrong::config::arena_size_is_too_small() :
		is_missing(c.arena) ? wrong::config::arena_is_missing() :
		c.tx_size < QUASH_TX_MIN ? wrong::config::tx_size_is_too_small() :
		is_missing(c.tx) ? wrong::config::tx_is_missing() :
		c.tag_size > 0 && is_missing(c.tags) ? wrong::config::tags_is_missing() :
		c.text_size > 0 && is_missing(c.texts) ? wrong::config::texts_is_missing() :
		c.state_size > 0 && is_missing(c.states) ? wrong::config::states_is_missing() : 0;
}

/* What a method wants of its config. */
constexpr int check_method_of(const quash_config &c, const quash_method &m)
{
	return text_length(m.name) + QUASH_LEX_ROOM > UINT8_MAX ? wrong::methods::name_is_too_long() :
		is_cancel_of(c.dialect, m.name) && (m.marks & QUASH_NOTIFICATION) == 0 ?
		wrong::methods::name_is_served_by_the_dialect_itself() :
		text_length(m.name) + QUASH_LEX_ROOM > c.word_size ? wrong::methods::word_size_is_too_small() :
		m.state_size > c.state_size ? wrong::methods::state_size_is_too_small() :
		is_known(c.check, quash_mcp_check) ? check_mcp_entry(m) : 0;
}

constexpr int check_methods_of(const quash_config &c, size_t i)
{
	return i == c.method_count ? 0 : check_method_of(c, c.methods[i]) + check_methods_of(c, i + 1);
}

constexpr bool has_entry(const quash_config &c, quash_handler *handler, size_t i)
{
	return i < c.method_count && (is_known(c.methods[i].handler, handler) || has_entry(c, handler, i + 1));
}

constexpr int check_mcp(const quash_config &c)
{
	return !has_entry(c, quash_mcp_initialize_, 0) && !has_entry(c, quash_mcp_server_discover_, 0) ?
			wrong::config::initialize_is_missing() :
		has_entry(c, quash_mcp_initialize_, 0) && is_missing(c.new_session) ?
		wrong::config::new_session_is_needed_and_not_named() : 0;
}

constexpr quash_config checked(const quash_config &c)
{
	return (is_missing(c.dialect) ? wrong::config::dialect_is_missing() : 0) + check_memory(c) +
		check_methods_of(c, 0) + (is_known(c.check, quash_mcp_check) ? check_mcp(c) : 0) == 0 ? c : c;
}

/* --- What is named and not served, or the reverse. Of a list of parts that is not constexpr nothing is known. */

constexpr bool has_name(const quash_config &c, const char *name, size_t i)
{
	return i < c.method_count && (is_same_text(c.methods[i].name, name) || has_name(c, name, i + 1));
}

constexpr bool begins_with(const char *name, const char *front)
{
	return *front == '\0' || (*name == *front && begins_with(name + 1, front + 1));
}

constexpr bool is_end_of_list(const quash_mcp_part *const *part)
{
	return __builtin_constant_p(*part == nullptr) ? *part == nullptr : false;
}

constexpr bool is_part(const quash_mcp_part *const *part, const quash_mcp_kind *kind)
{
	return __builtin_constant_p((*part)->kind == kind) ? (*part)->kind == kind : false;
}

/* A compiler for AVRs does not know of an address that it is not NULL. */
constexpr bool is_constant(const quash_mcp_part *const *part)
{
	return __builtin_constant_p((*part)->kind == nullptr) || is_part(part, &quash_mcp_prompts_kind) ||
		is_part(part, &quash_mcp_resources_kind) || is_part(part, &quash_mcp_completion_kind) ||
		is_part(part, &quash_mcp_logging_kind) || is_part(part, &quash_mcp_confirm_kind) ||
		is_part(part, &quash_mcp_extensions_kind) || is_part(part, &quash_mcp_input_kind);
}

/* Of this part nobody sees the kind. */
constexpr bool is_asking(const quash_mcp_part *const *part)
{
	return __builtin_constant_p(*part == &quash_mcp_ask_part) ? *part == &quash_mcp_ask_part : false;
}

/* `unknown` is for what stands behind a part that is not constexpr. */
constexpr bool has_part(const quash_mcp_part *const *part, const quash_mcp_kind *kind, bool unknown)
{
	return is_missing(part) || is_end_of_list(part) ? false :
		is_asking(part) ? has_part(part + 1, kind, unknown) : !is_constant(part) ? unknown :
		is_part(part, kind) || has_part(part + 1, kind, unknown);
}

constexpr bool is_of_another_part(const quash_mcp_server &s, const char *name)
{
	return begins_with(name, "prompts/") ? !has_part(s.parts, &quash_mcp_prompts_kind, true) :
		begins_with(name, "resources/") ? !has_part(s.parts, &quash_mcp_resources_kind, true) :
		begins_with(name, "completion/") ? !has_part(s.parts, &quash_mcp_completion_kind, true) :
		begins_with(name, "logging/") && !has_part(s.parts, &quash_mcp_logging_kind, true);
}

constexpr int check_part_of(const quash_mcp_server &s, const quash_method &m)
{
	return !is_known(m.data, static_cast<const void *>(&s)) ? 0 :
		is_of_another_part(s, m.name) ? wrong::methods::part_is_missing() :
		is_missing(m.motion.end) && (is_same_text(m.name, "prompts/get") || is_same_text(m.name, "resources/read")) ?
		wrong::methods::motion_end_is_missing_though_it_moves_something() : 0;
}

constexpr int check_parts_of(const quash_config &c, const quash_mcp_server &s, size_t i)
{
	return i == c.method_count ? 0 : check_part_of(s, c.methods[i]) + check_parts_of(c, s, i + 1);
}

constexpr bool lacks(const quash_config &c, const quash_mcp_server &s, const quash_mcp_kind *kind, const char *one,
	const char *other)
{
	return has_part(s.parts, kind, false) && (!has_name(c, one, 0) || !has_name(c, other, 0));
}

constexpr int check_methods_of_parts(const quash_config &c, const quash_mcp_server &s)
{
	return lacks(c, s, &quash_mcp_prompts_kind, "prompts/list", "prompts/get") ?
			wrong::server::QUASH_MCP_PROMPTS_is_missing() :
		lacks(c, s, &quash_mcp_resources_kind, "resources/list", "resources/read") ?
		wrong::server::QUASH_MCP_RESOURCES_is_missing() :
		lacks(c, s, &quash_mcp_completion_kind, "completion/complete", "completion/complete") ?
		wrong::server::QUASH_MCP_COMPLETION_is_missing() :
		lacks(c, s, &quash_mcp_logging_kind, "logging/setLevel", "logging/setLevel") ?
		wrong::server::QUASH_MCP_LOGGING_is_missing() :
		has_part(s.parts, &quash_mcp_extensions_kind, false) && !has_entry(c, quash_mcp_server_discover_, 0) ?
		wrong::server::QUASH_MCP_MODERN_is_missing() : 0;
}

/* Of lists that change, and of subscriptions to resources. */
constexpr int check_changes(const quash_config &c, const quash_mcp_server &s)
{
	return is_missing(s.tools) && (s.changes & QUASH_MCP_TOOLS_CHANGE) != 0 ? wrong::server::tools_is_missing() :
		is_missing(s.parts) && (!is_missing(s.watches) || s.changes > QUASH_MCP_TOOLS_CHANGE) ?
		wrong::server::parts_is_missing() :
		(s.changes & QUASH_MCP_PROMPTS_CHANGE) != 0 && !has_name(c, "prompts/list", 0) ?
		wrong::server::QUASH_MCP_PROMPTS_is_missing() :
		(!is_missing(s.watches) || (s.changes & QUASH_MCP_RESOURCES_CHANGE) != 0) && !has_name(c, "resources/list", 0) ?
		wrong::server::QUASH_MCP_RESOURCES_is_missing() :
		!is_missing(s.parts) && is_missing(s.watches) && has_name(c, "resources/subscribe", 0) ?
		wrong::server::watches_is_missing() :
		!is_missing(s.watches) && !has_name(c, "resources/subscribe", 0) && !has_name(c, "subscriptions/listen", 0) ?
		wrong::server::QUASH_MCP_SUBSCRIBE_is_missing() : 0;
}

constexpr int check_served(const quash_config &c, const quash_mcp_server &s)
{
	return check_methods_of_parts(c, s) + check_changes(c, s) +
		(!is_missing(s.modern) && !has_entry(c, quash_mcp_server_discover_, 0) ?
			wrong::server::QUASH_MCP_MODERN_is_missing() :
		!is_missing(s.tools) && !has_entry(c, quash_mcp_tools_call_, 0) ? wrong::server::QUASH_MCP_TOOLS_is_missing() :
		check_parts_of(c, s, 0));
}

/** What a config wants of the server that its methods name. */
constexpr int check_server_of(const quash_config &c, const quash_mcp_server &s)
{
	return c.state_size < QUASH_MCP_STATE(s.token_size, 0) ? wrong::server::state_size_is_too_small() :
		c.state_size < QUASH_MCP_STATE(s.token_size, sizes_of::all(s.tools, s.tool_count)) ?
		wrong::tools::state_size_is_too_small() :
		is_missing(s.leases) && has_lease(c.methods, c.method_count) ? wrong::server::leases_is_needed_and_not_named() :
		is_missing(s.modern) && has_entry(c, quash_mcp_server_discover_, 0) ?
		wrong::server::modern_is_needed_and_not_named() : check_served(c, s);
}
}
#endif
#endif
