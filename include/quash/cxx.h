/* SPDX-License-Identifier: MIT
 * Entries of tables, servers and configs with named members, for C++11. C has designated initialisers for that: this
 * header is empty there.
 *
 *     static constexpr quash_mcp_tool tools[] = {
 *         quash::mcp_tool("blink", "Blinks", blink).args(&blink_params),
 *         quash::mcp_tool("turn", "Turns the motor", turn).args(&turn_params).moves(off, 70000, 2000, &motor),
 *     };
 *
 * A member that is not named is 0 or NULL. A function has the name of the member that it sets, and takes what that
 * takes. All is constant: declared `constexpr`, a table stands where a C table does, and no code runs before main. What
 * `quash_init` would refuse does not compile then, as far as a compiler knows: it names the table, the member and what
 * is wrong. So what a table names is `constexpr` too, and no table is a temporary. Cost: none. */
#ifndef QUASH_CXX_H
#define QUASH_CXX_H

#include "cxx_check.h"

#ifdef __cplusplus
namespace quash {

/** A method, see quash_method. */
class method {
	struct who { const char *name; quash_handler *handler; const char *cancelled; const void *data; };
	struct rest { void (*released)(quash_request *); quash_size state_size; uint8_t marks; };
	who names;
	quash_motion motion;
	rest own;
	constexpr method(who names_, quash_motion motion_, rest own_) : names(names_), motion(motion_), own(own_) {}
	constexpr method with(const who &g) const { return method(g, motion, own); }
	constexpr method with(const rest &g) const { return method(names, motion, g); }

public:
	/** With what every method has. */
	constexpr method(const char *name, quash_handler *handler)
		: names{ name, handler, nullptr, nullptr }, motion(), own() {}
	template <typename result, typename... arguments>
	constexpr method(const char *name, result (*)(arguments...)) : method(name, no_handler<result(arguments...)>()) {}
	constexpr method released(void (*f)(quash_request *)) const { return with(rest{ f, own.state_size, own.marks }); }
	constexpr method cancelled(const char *json) const
	{
		return with(who{ names.name, names.handler, json, names.data });
	}
	constexpr method data(const void *d) const { return with(who{ names.name, names.handler, names.cancelled, d }); }
	constexpr method marks(int64_t m) const
	{
		return with(rest{ own.released, own.state_size, narrowed<uint8_t>(m, UINT8_MAX,
				wrong::methods::marks_do_not_go_together) });
	}
	constexpr method state_size(int64_t n) const
	{
		return with(rest{ own.released,
			narrowed<quash_size>(n, LARGEST, wrong::methods::state_size_is_too_large), own.marks });
	}
	/** It moves something: all of a quash_motion. */
	constexpr method moves(int32_t (*end)(quash_request *), int64_t longest, int64_t lease, quash_group *group) const
	{
		return method(names,
			quash_motion{ end, narrowed<uint32_t>(longest, UINT32_MAX, wrong::methods::motion_longest_is_too_large),
				narrowed<uint32_t>(lease, UINT32_MAX, wrong::methods::motion_lease_is_too_large), group }, own);
	}
	template <typename result, typename... arguments>
	constexpr method moves(result (*)(arguments...), int64_t, int64_t, quash_group *) const
	{
		return moves(no_handler<result(arguments...)>(), 1, 0, nullptr);
	}
	constexpr operator quash_method() const
	{
		return { names.name, names.handler, motion, own.released, names.cancelled, names.data, own.state_size,
				own.marks };
	}
};

/** A tool, see quash_mcp_tool. */
class mcp_tool {
	struct what { const char *name, *title, *description; quash_handler *call; };
	struct form { const quash_params *args, *output; const char *output_schema, *busy; };
	struct rest { void (*released)(quash_request *); uint8_t hints, marks; };
	what names;
	form schema;
	quash_motion motion;
	rest own;
	constexpr mcp_tool(what names_, form schema_, quash_motion motion_, rest own_)
		: names(names_), schema(schema_), motion(motion_), own(own_) {}
	constexpr mcp_tool with(const what &g) const { return mcp_tool(g, schema, motion, own); }
	constexpr mcp_tool with(const form &g) const { return mcp_tool(names, g, motion, own); }
	constexpr mcp_tool with(const rest &g) const { return mcp_tool(names, schema, motion, g); }

public:
	/** With what every tool has. */
	constexpr mcp_tool(const char *name, const char *description, quash_handler *call)
		: names{ name, nullptr, description, call }, schema(), motion(), own() {}
	template <typename result, typename... arguments>
	constexpr mcp_tool(const char *name, const char *description, result (*)(arguments...))
		: mcp_tool(name, description, no_handler<result(arguments...)>()) {}
	constexpr mcp_tool title(const char *t) const { return with(what{ names.name, t, names.description, names.call }); }
	constexpr mcp_tool args(const quash_params *p) const
	{
		return with(form{ p, schema.output, schema.output_schema, schema.busy });
	}
	constexpr mcp_tool output(const quash_params *p) const
	{
		return with(form{ schema.args, p, schema.output_schema, schema.busy });
	}
	constexpr mcp_tool output_schema(const char *s) const
	{
		return with(form{ schema.args, schema.output, s, schema.busy });
	}
	constexpr mcp_tool busy(const char *t) const
	{
		return with(form{ schema.args, schema.output, schema.output_schema, t });
	}
	constexpr mcp_tool released(void (*f)(quash_request *)) const { return with(rest{ f, own.hints, own.marks }); }
	constexpr mcp_tool hints(int64_t h) const
	{
		return with(rest{ own.released, narrowed<uint8_t>(h, UINT8_MAX, wrong::tools::hints_is_too_large), own.marks });
	}
	constexpr mcp_tool marks(int64_t m) const
	{
		return with(rest{ own.released, own.hints, narrowed<uint8_t>(m, UINT8_MAX,
				wrong::tools::marks_do_not_go_together) });
	}
	/** It moves something: all of a quash_motion. */
	constexpr mcp_tool moves(int32_t (*end)(quash_request *), int64_t longest, int64_t lease, quash_group *group) const
	{
		return mcp_tool(names, schema,
			quash_motion{ end, narrowed<uint32_t>(longest, UINT32_MAX, wrong::tools::motion_longest_is_too_large),
				narrowed<uint32_t>(lease, UINT32_MAX, wrong::tools::motion_lease_is_too_large), group }, own);
	}
	template <typename result, typename... arguments>
	constexpr mcp_tool moves(result (*)(arguments...), int64_t, int64_t, quash_group *) const
	{
		return moves(no_handler<result(arguments...)>(), 1, 0, nullptr);
	}
	constexpr operator quash_mcp_tool() const
	{
		return { names.name, names.title, names.description, schema.args, schema.output, schema.output_schema,
			names.call, motion, own.released, schema.busy, own.hints, own.marks };
	}
};

/** A server, see quash_mcp_server. `tools` and `keeps` take arrays and count them. `tools` names `leases` too. */
class mcp_server {
	struct who { const char *name, *version, *title, *instructions; };
	struct codes {
		const struct quash_mcp_modern_code *modern;
		const struct quash_lease_code *leases;
		const struct quash_mcp_closed_code *closed;
	};
	struct lists {
		const quash_mcp_tool *tools;
		const quash_mcp_part *const *parts;
		const quash_keep *keeps;
		const char *const *ignored;
	};
	struct counts { uint8_t tools, keeps, page, changes; };
	struct rest {
		quash_mcp_session *session;
		const struct quash_mcp_watches *watches;
		uint32_t ttl;
		uint8_t token_size;
	};
	who names;
	codes linked;
	lists tables;
	counts sizes;
	rest own;
	constexpr mcp_server(who names_, codes linked_, lists tables_, counts sizes_, rest own_)
		: names(names_), linked(linked_), tables(tables_), sizes(sizes_), own(own_) {}
	constexpr mcp_server with(const who &g) const { return mcp_server(g, linked, tables, sizes, own); }
	constexpr mcp_server with(const codes &g) const { return mcp_server(names, g, tables, sizes, own); }
	constexpr mcp_server with(const lists &g) const { return mcp_server(names, linked, g, sizes, own); }
	constexpr mcp_server with(const counts &g) const { return mcp_server(names, linked, tables, g, own); }
	constexpr mcp_server with(const rest &g) const { return mcp_server(names, linked, tables, sizes, g); }

public:
	/** With what every server has. */
	constexpr mcp_server(const char *name, const char *version)
		: names{ name, version, nullptr, nullptr }, linked(), tables(), sizes(), own() {}
	constexpr mcp_server title(const char *t) const
	{
		return with(who{ names.name, names.version, t, names.instructions });
	}
	constexpr mcp_server instructions(const char *t) const
	{
		return with(who{ names.name, names.version, names.title, t });
	}
	constexpr mcp_server modern(const struct quash_mcp_modern_code *m) const
	{
		return with(codes{ m, linked.leases, linked.closed });
	}
	constexpr mcp_server leases(const struct quash_lease_code *l) const
	{
		return with(codes{ linked.modern, l, linked.closed });
	}
	/** For QUASH_MCP_DEVICE, whose methods are those of tools alone. */
	constexpr mcp_server with_tools_alone() const
	{
		return are_without_methods(tables.parts) ? *this :
				page(wrong::server::parts_are_not_served_by_QUASH_MCP_DEVICE());
	}
	constexpr mcp_server closed(const struct quash_mcp_closed_code *x) const
	{
		return with(codes{ linked.modern, linked.leases, x });
	}
	constexpr mcp_server parts(const quash_mcp_part *const *p) const
	{
		return with(lists{ tables.tools, p, tables.keeps, tables.ignored });
	}
	constexpr mcp_server ignored(const char *const *list) const
	{
		return with(lists{ tables.tools, tables.parts, tables.keeps, list });
	}
	constexpr mcp_server page(int64_t n) const
	{
		return with(counts{ sizes.tools, sizes.keeps, narrowed<uint8_t>(n, UINT8_MAX,
				wrong::server::page_is_too_large), sizes.changes });
	}
	constexpr mcp_server changes(int64_t m) const
	{
		return with(counts{ sizes.tools, sizes.keeps, sizes.page, narrowed<uint8_t>(m, UINT8_MAX,
				wrong::server::changes_is_too_large) });
	}
	constexpr mcp_server session(quash_mcp_session *s) const
	{
		return with(rest{ s, own.watches, own.ttl, own.token_size });
	}
	constexpr mcp_server watches(const struct quash_mcp_watches *w) const
	{
		return with(rest{ own.session, w, own.ttl, own.token_size });
	}
	constexpr mcp_server ttl(uint32_t ms) const { return with(rest{ own.session, own.watches, ms, own.token_size }); }
	constexpr mcp_server token_size(int64_t n) const
	{
		return with(rest{ own.session, own.watches, own.ttl,
			narrowed<uint8_t>(n, LONGEST_TOKEN, wrong::server::token_size_is_too_large) });
	}
	template <size_t N> constexpr mcp_server tools(const quash_mcp_tool (&t)[N]) const
	{
		static_assert(N <= UINT8_MAX, "server: tool_count is too large: a server has at most 255 tools");
		return with(lists{ t, tables.parts, tables.keeps, tables.ignored })
			.with(counts{ counted<N>(check_table<N>(t)), sizes.keeps, sizes.page, sizes.changes })
			.with(codes{ linked.modern, &quash_mcp_leases, linked.closed });
	}
	template <typename element, size_t N> constexpr mcp_server tools(element (&&)[N]) const
	{
		return page(no_table<N>());
	}
	template <size_t N> constexpr mcp_server keeps(const quash_keep (&k)[N]) const
	{
		static_assert(N <= UINT8_MAX, "server: keep_count is too large: a server has at most 255 keeps");
		return with(lists{ tables.tools, tables.parts, k, tables.ignored })
			.with(counts{ sizes.tools, static_cast<uint8_t>(N), sizes.page, sizes.changes });
	}
	template <typename element, size_t N> constexpr mcp_server keeps(element (&&)[N]) const
	{
		return page(no_table<N>());
	}
	constexpr operator quash_mcp_server() const { return checked(all()); }

private:
	constexpr quash_mcp_server all() const
	{
		return { names.name, names.version, names.title, names.instructions, own.session, tables.tools, tables.parts,
			linked.modern, own.watches, own.ttl, sizes.tools, sizes.page, own.token_size, sizes.changes, tables.keeps,
			sizes.keeps, linked.leases, tables.ignored, linked.closed };
	}
};

/* --- The structs of parts */

/** Whether a part has a struct that is larger. `T` has all of it in its member `part`: C++ finds that by its class, and
 * old versions of gcc by its address. */
template <typename T>
constexpr bool has_larger_(const quash_mcp_part *const *part, size_t room)
{
	typedef decltype(T::part) whole;
	return __builtin_constant_p(static_cast<const T *>(static_cast<const void *>(*part))->part.count) ?
			static_cast<const T *>(static_cast<const void *>(*part))->part.largest() > room :
		__builtin_constant_p(static_cast<const whole *>(*part)->count) ?
		static_cast<const whole *>(*part)->largest() > room : false;
}

/** Of which entries a part has structs. As `N` is the config's, the check of the part's header is found there. */
template <typename entries, size_t N> struct structs_of {};
template <typename entries, size_t N>
constexpr int check_structs_(structs_of<entries, N>, const quash_mcp_part *const *, size_t)
{
	return 0;
}

template <size_t N>
constexpr int check_structs_of_parts_(const quash_mcp_part *const *part, size_t room)
{
	return is_missing(part) || is_end_of_list(part) || (!is_asking(part) && !is_constant(part)) ? 0 :
		(is_asking(part) ? 0 : is_part(part, &quash_mcp_prompts_kind) ?
		check_structs_(structs_of<quash_mcp_prompt, N>(), part, room) : !is_part(part, &quash_mcp_resources_kind) ? 0 :
		check_structs_(structs_of<quash_mcp_resource, N>(), part, room)) +
		check_structs_of_parts_<N>(part + 1, room);
}

/** A config, see quash_config: `quash::config(QUASH_STORED(store)).dialect(&quash_jsonrpc).methods(methods)`. Arrays
 * are counted. `faults` is `&quash_faults` unless something else is named. */
class config {
	struct room {
		uint8_t slot_count, id_size, word_size;
		quash_size arena_size, tx_size, state_size;
		quash_request *slots;
		quash_word *word;
		uint8_t *ids;
		void *states;
		uint8_t *arena, *tx;
		quash_counters *counters;
	};
	struct speech { const quash_dialect *dialect; const quash_method *methods; uint8_t count; bool lease_always; };
	struct lent { uint8_t *tags; char *reason; uint8_t *texts; uint8_t tag_size, reason_size, text_size; };
	struct hooks { quash_check *check; void (*new_session)(quash_peer *); quash_trace *trace; void *context; };
	struct codes {
		const struct quash_call_hooks *calls;
		const quash_keeps *keeps;
		const struct quash_fault_code *faults;
		const struct quash_reason_code *reasons;
	};
	room memory;
	speech served;
	lent kept;
	hooks called;
	codes linked;
	uint32_t limit;
	constexpr config(const room &memory_, speech served_, lent kept_, hooks called_, codes linked_, uint32_t limit_)
		: memory(memory_), served(served_), kept(kept_), called(called_), linked(linked_), limit(limit_) {}
	constexpr config with(const speech &g) const { return config(memory, g, kept, called, linked, limit); }
	constexpr config with(const lent &g) const { return config(memory, served, g, called, linked, limit); }
	constexpr config with(const hooks &g) const { return config(memory, served, kept, g, linked, limit); }
	constexpr config with(const codes &g) const { return config(memory, served, kept, called, g, limit); }
	constexpr config with(uint32_t g) const { return config(memory, served, kept, called, linked, g); }

public:
	/** With what QUASH_STORED(store) stands for. */
	constexpr config(int64_t slot_count, int64_t id_size, int64_t word_size, int64_t arena_size, int64_t tx_size,
		int64_t state_size, quash_request *slots, quash_word *word, uint8_t *ids, void *states, uint8_t *arena,
		uint8_t *tx, quash_counters *counters)
		: memory{ narrowed<uint8_t>(slot_count, UINT8_MAX, wrong::config::slot_count_is_too_large),
			narrowed<uint8_t>(id_size, UINT8_MAX, wrong::config::id_size_is_too_large),
			narrowed<uint8_t>(word_size, UINT8_MAX, wrong::config::word_size_is_too_large),
			narrowed<quash_size>(arena_size, LARGEST, wrong::config::arena_size_is_too_large),
			narrowed<quash_size>(tx_size, LARGEST, wrong::config::tx_size_is_too_large),
			narrowed<quash_size>(state_size, LARGEST, wrong::config::state_size_is_too_large), slots, word, ids,
			states, arena, tx, counters },
		  served(), kept(), called(), linked{ nullptr, nullptr, &quash_faults, nullptr }, limit(0) {}
	constexpr config dialect(const quash_dialect *p) const
	{
		return with(speech{ p, served.methods, served.count, served.lease_always });
	}
	constexpr config lease_always(bool yes) const
	{
		return with(speech{ served.dialect, served.methods, served.count, yes });
	}
	constexpr config body_limit(uint32_t n) const { return with(n); }
	constexpr config check(quash_check *f) const
	{
		return with(hooks{ f, called.new_session, called.trace, called.context });
	}
	constexpr config new_session(void (*f)(quash_peer *)) const
	{
		return with(hooks{ called.check, f, called.trace, called.context });
	}
	constexpr config trace(quash_trace *f) const
	{
		return with(hooks{ called.check, called.new_session, f, called.context });
	}
	constexpr config context(void *p) const { return with(hooks{ called.check, called.new_session, called.trace, p }); }
	constexpr config calls(const struct quash_call_hooks *p) const
	{
		return with(codes{ p, linked.keeps, linked.faults, linked.reasons });
	}
	constexpr config keeps(const quash_keeps *p) const
	{
		return with(codes{ linked.calls, p, linked.faults, linked.reasons });
	}
	constexpr config faults(const struct quash_fault_code *p) const
	{
		return with(codes{ linked.calls, linked.keeps, p, linked.reasons });
	}
	constexpr config reasons(const struct quash_reason_code *p) const
	{
		return with(codes{ linked.calls, linked.keeps, linked.faults, p });
	}
	template <size_t N> constexpr config methods(const quash_method (&m)[N]) const
	{
		static_assert(N <= QUASH_METHODS_MAX, "config: method_count is too large: a config has at most 250 methods");
		return with(speech{ served.dialect, m, counted<N>(check_table<N>(m)), served.lease_always });
	}
	template <typename element, size_t N> constexpr config methods(element (&&)[N]) const
	{
		return body_limit(no_table<N>());
	}
	template <size_t N> constexpr config reason(char (&r)[N]) const
	{
		static_assert(N <= UINT8_MAX, "config: reason_size is too large: a reason has at most 255 bytes");
		return with(lent{ kept.tags, r, kept.texts, kept.tag_size, static_cast<uint8_t>(N), kept.text_size });
	}
	constexpr config tags(uint8_t *t, int64_t size) const
	{
		return with(lent{ t, kept.reason, kept.texts,
			narrowed<uint8_t>(size, LARGEST_TAG, wrong::config::tag_size_is_too_large), kept.reason_size,
			kept.text_size });
	}
	constexpr config texts(uint8_t *t, int64_t size) const
	{
		return with(lent{ kept.tags, kept.reason, t, kept.tag_size, kept.reason_size,
			narrowed<uint8_t>(size, UINT8_MAX, wrong::config::text_size_is_too_large) });
	}
	/** All that a server wants of its config. `m` are the methods that name it. */
	template <size_t N> constexpr config mcp(const quash_method (&m)[N], const quash_mcp_server &server) const
	{
		return dialect(&quash_mcp).methods(m).check(quash_mcp_check).new_session(quash_mcp_new_session)
			.keeps(&quash_mcp_keeps).template serves<N>(server);
	}
	constexpr operator quash_config() const { return checked(all()); }

private:
	template <size_t N> constexpr config serves(const quash_mcp_server &server) const
	{
		return check_server_of(checked(all()), server) + check_structs_of_parts_<N>(server.parts,
				memory.state_size - QUASH_MCP_STATE(server.token_size, 0)) == 0 ? *this : *this;
	}
	constexpr quash_config all() const
	{
		return { memory.slot_count, memory.id_size, memory.word_size, memory.arena_size, memory.tx_size,
			memory.state_size, memory.slots, memory.word, memory.ids, memory.states, memory.arena, memory.tx,
			memory.counters, served.dialect, served.methods, served.count, kept.tag_size, kept.reason_size,
			served.lease_always, limit, kept.tags, kept.reason, called.check, called.new_session, called.trace,
			called.context, linked.calls, linked.keeps, linked.faults, linked.reasons, kept.texts, kept.text_size };
	}
};

/* --- The largest struct */

/** A size, as one of those of which `largest` below finds the largest. */
constexpr size_t largest(size_t n)
{
	return n;
}

/** The size of the largest struct, for QUASH_MCP_STATE: of tables of tools, prompts and resources, and of sizes, as in
 * `largest(tools, prompt_list, sizeof(quash_mcp_listen))`. The tables are `constexpr`, and so are their params. */
template <typename element, size_t N>
constexpr size_t largest(const element (&list)[N])
{
	return sizes_of::all(list, N);
}

template <typename first_of, typename second_of, typename... rest_of>
constexpr size_t largest(const first_of &first, const second_of &second, const rest_of &...rest)
{
	return sizes_of::both(largest(first), largest(second, rest...));
}
}
#endif
#endif
