/* SPDX-License-Identifier: MIT
 * Entries of tables, servers and configs with named members, for C++11. C has designated initialisers for that: this header is
 * empty there.
 *
 *     static constexpr quash_mcp_tool tools[] = {
 *         quash::mcp_tool("blink", "Blinks", blink).args(&blink_params),
 *         quash::mcp_tool("turn", "Turns the motor", turn).args(&turn_params).moves(off, 70000, 2000, &motor),
 *     };
 *
 * A member that is not named is 0 or NULL. A function has the name of the member that it sets, and takes what that takes. All
 * is constant: declared `constexpr`, a table stands where a C table does, and no code runs before main. Cost: none. */
#ifndef QUASH_CXX_H
#define QUASH_CXX_H

#include "mcp.h"

#ifdef __cplusplus
namespace quash {

/** A method, see quash_method. */
class method {
	struct who { const char *name; quash_handler *handler; const char *cancelled; const void *data; };
	struct ways { int32_t (*end)(quash_request *); void (*released)(quash_request *); quash_group *group; };
	struct limits { uint32_t deadline, lease; quash_size state_size; uint8_t marks; };
	who a;
	ways b;
	limits c;
	constexpr method(who a_, ways b_, limits c_) : a(a_), b(b_), c(c_) {}
	constexpr method with(const who &g) const { return method(g, b, c); }
	constexpr method with(const ways &g) const { return method(a, g, c); }
	constexpr method with(const limits &g) const { return method(a, b, g); }

public:
	/** With what every method has. */
	constexpr method(const char *name, quash_handler *handler) : a{ name, handler, nullptr, nullptr }, b(), c() {}
	constexpr method end(int32_t (*f)(quash_request *)) const { return with(ways{ f, b.released, b.group }); }
	constexpr method released(void (*f)(quash_request *)) const { return with(ways{ b.end, f, b.group }); }
	constexpr method group(quash_group *g) const { return with(ways{ b.end, b.released, g }); }
	constexpr method cancelled(const char *json) const { return with(who{ a.name, a.handler, json, a.data }); }
	constexpr method data(const void *d) const { return with(who{ a.name, a.handler, a.cancelled, d }); }
	constexpr method deadline(uint32_t ms) const { return with(limits{ ms, c.lease, c.state_size, c.marks }); }
	constexpr method lease(uint32_t ms) const { return with(limits{ c.deadline, ms, c.state_size, c.marks }); }
	constexpr method marks(unsigned m) const
	{
		return with(limits{ c.deadline, c.lease, c.state_size, static_cast<uint8_t>(m) });
	}
	constexpr method state_size(size_t n) const
	{
		return with(limits{ c.deadline, c.lease, static_cast<quash_size>(n), c.marks });
	}
	/** It moves something: all that this asks for. Once cancelled only `end` is called. */
	constexpr method moves(int32_t (*f)(quash_request *), uint32_t longest, uint32_t lease_ms, quash_group *g) const
	{
		return end(f).group(g).deadline(longest).lease(lease_ms).marks(c.marks | QUASH_DROPS);
	}
	constexpr operator quash_method() const
	{
		return { a.name, a.handler, b.end, b.released, a.cancelled, a.data, c.deadline, c.lease, c.state_size, c.marks, b.group };
	}
};

/** A tool, see quash_mcp_tool. */
class mcp_tool {
	struct what { const char *name, *title, *description; quash_handler *call; };
	struct form { const quash_params *args, *output; const char *output_schema, *busy; };
	struct ways { int32_t (*end)(quash_request *); void (*released)(quash_request *); quash_group *group; };
	struct limits { uint32_t deadline, lease; uint8_t hints, marks; };
	what a;
	form b;
	ways c;
	limits d;
	constexpr mcp_tool(what a_, form b_, ways c_, limits d_) : a(a_), b(b_), c(c_), d(d_) {}
	constexpr mcp_tool with(const what &g) const { return mcp_tool(g, b, c, d); }
	constexpr mcp_tool with(const form &g) const { return mcp_tool(a, g, c, d); }
	constexpr mcp_tool with(const ways &g) const { return mcp_tool(a, b, g, d); }
	constexpr mcp_tool with(const limits &g) const { return mcp_tool(a, b, c, g); }

public:
	/** With what every tool has. */
	constexpr mcp_tool(const char *name, const char *description, quash_handler *call)
		: a{ name, nullptr, description, call }, b(), c(), d() {}
	constexpr mcp_tool title(const char *t) const { return with(what{ a.name, t, a.description, a.call }); }
	constexpr mcp_tool args(const quash_params *p) const { return with(form{ p, b.output, b.output_schema, b.busy }); }
	constexpr mcp_tool output(const quash_params *p) const { return with(form{ b.args, p, b.output_schema, b.busy }); }
	constexpr mcp_tool output_schema(const char *s) const { return with(form{ b.args, b.output, s, b.busy }); }
	constexpr mcp_tool busy(const char *t) const { return with(form{ b.args, b.output, b.output_schema, t }); }
	constexpr mcp_tool end(int32_t (*f)(quash_request *)) const { return with(ways{ f, c.released, c.group }); }
	constexpr mcp_tool released(void (*f)(quash_request *)) const { return with(ways{ c.end, f, c.group }); }
	constexpr mcp_tool group(quash_group *g) const { return with(ways{ c.end, c.released, g }); }
	constexpr mcp_tool deadline(uint32_t ms) const { return with(limits{ ms, d.lease, d.hints, d.marks }); }
	constexpr mcp_tool lease(uint32_t ms) const { return with(limits{ d.deadline, ms, d.hints, d.marks }); }
	constexpr mcp_tool hints(unsigned h) const
	{
		return with(limits{ d.deadline, d.lease, static_cast<uint8_t>(h), d.marks });
	}
	constexpr mcp_tool marks(unsigned m) const
	{
		return with(limits{ d.deadline, d.lease, d.hints, static_cast<uint8_t>(m) });
	}
	/** It moves something: all that this asks for. Once cancelled only `end` is called. */
	constexpr mcp_tool moves(int32_t (*f)(quash_request *), uint32_t longest, uint32_t lease_ms, quash_group *g) const
	{
		return end(f).group(g).deadline(longest).lease(lease_ms).marks(d.marks | QUASH_DROPS);
	}
	constexpr operator quash_mcp_tool() const
	{
		return { a.name, a.title, a.description, b.args, b.output, b.output_schema, a.call, c.end, c.released, b.busy,
			 d.deadline, d.lease, c.group, d.hints, d.marks };
	}
};

/** A server, see quash_mcp_server. `tools` and `keeps` take arrays and count them. */
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
	struct rest { quash_mcp_session *session; const struct quash_mcp_watches *watches; uint32_t ttl; uint8_t token_size; };
	who a;
	codes b;
	lists c;
	counts d;
	rest e;
	constexpr mcp_server(who a_, codes b_, lists c_, counts d_, rest e_) : a(a_), b(b_), c(c_), d(d_), e(e_) {}
	constexpr mcp_server with(const who &g) const { return mcp_server(g, b, c, d, e); }
	constexpr mcp_server with(const codes &g) const { return mcp_server(a, g, c, d, e); }
	constexpr mcp_server with(const lists &g) const { return mcp_server(a, b, g, d, e); }
	constexpr mcp_server with(const counts &g) const { return mcp_server(a, b, c, g, e); }
	constexpr mcp_server with(const rest &g) const { return mcp_server(a, b, c, d, g); }

public:
	/** With what every server has. */
	constexpr mcp_server(const char *name, const char *version) : a{ name, version, nullptr, nullptr }, b(), c(), d(), e() {}
	constexpr mcp_server title(const char *t) const { return with(who{ a.name, a.version, t, a.instructions }); }
	constexpr mcp_server instructions(const char *t) const { return with(who{ a.name, a.version, a.title, t }); }
	constexpr mcp_server modern(const struct quash_mcp_modern_code *m) const { return with(codes{ m, b.leases, b.closed }); }
	constexpr mcp_server leases(const struct quash_lease_code *l) const { return with(codes{ b.modern, l, b.closed }); }
	constexpr mcp_server closed(const struct quash_mcp_closed_code *x) const { return with(codes{ b.modern, b.leases, x }); }
	constexpr mcp_server parts(const quash_mcp_part *const *p) const { return with(lists{ c.tools, p, c.keeps, c.ignored }); }
	constexpr mcp_server ignored(const char *const *names) const { return with(lists{ c.tools, c.parts, c.keeps, names }); }
	constexpr mcp_server page(unsigned n) const { return with(counts{ d.tools, d.keeps, static_cast<uint8_t>(n), d.changes }); }
	constexpr mcp_server changes(unsigned m) const { return with(counts{ d.tools, d.keeps, d.page, static_cast<uint8_t>(m) }); }
	constexpr mcp_server session(quash_mcp_session *s) const { return with(rest{ s, e.watches, e.ttl, e.token_size }); }
	constexpr mcp_server watches(const struct quash_mcp_watches *w) const { return with(rest{ e.session, w, e.ttl, e.token_size }); }
	constexpr mcp_server ttl(uint32_t ms) const { return with(rest{ e.session, e.watches, ms, e.token_size }); }
	constexpr mcp_server token_size(unsigned n) const
	{
		return with(rest{ e.session, e.watches, e.ttl, static_cast<uint8_t>(n) });
	}
	template <size_t N> constexpr mcp_server tools(const quash_mcp_tool (&t)[N]) const
	{
		return with(lists{ t, c.parts, c.keeps, c.ignored }).with(counts{ N, d.keeps, d.page, d.changes });
	}
	template <size_t N> constexpr mcp_server keeps(const quash_keep (&k)[N]) const
	{
		return with(lists{ c.tools, c.parts, k, c.ignored }).with(counts{ d.tools, N, d.page, d.changes });
	}
	constexpr operator quash_mcp_server() const
	{
		return { a.name, a.version, a.title, a.instructions, e.session, c.tools, c.parts, b.modern, e.watches, e.ttl, d.tools,
			 d.page, e.token_size, d.changes, c.keeps, d.keeps, b.leases, c.ignored, b.closed };
	}
};

/** A config, see quash_config: `quash::config(QUASH_STORED(store)).dialect(&quash_jsonrpc).methods(methods)`. Arrays are
 * counted. `faults` is `&quash_faults` unless something else is named. */
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
	struct texts { uint8_t *tags; char *reason; uint8_t tag_size, reason_size; };
	struct hooks { quash_check *check; void (*new_session)(quash_peer *); quash_trace *trace; void *context; };
	struct codes {
		const struct quash_call_hooks *calls;
		const quash_keeps *keeps;
		const struct quash_fault_code *faults;
		const struct quash_reason_code *reasons;
	};
	room a;
	speech b;
	texts c;
	hooks d;
	codes e;
	uint32_t limit;
	constexpr config(const room &a_, speech b_, texts c_, hooks d_, codes e_, uint32_t limit_)
		: a(a_), b(b_), c(c_), d(d_), e(e_), limit(limit_) {}
	constexpr config with(const speech &g) const { return config(a, g, c, d, e, limit); }
	constexpr config with(const texts &g) const { return config(a, b, g, d, e, limit); }
	constexpr config with(const hooks &g) const { return config(a, b, c, g, e, limit); }
	constexpr config with(const codes &g) const { return config(a, b, c, d, g, limit); }
	constexpr config with(uint32_t g) const { return config(a, b, c, d, e, g); }

public:
	/** With what QUASH_STORED(store) stands for. */
	constexpr config(uint8_t slot_count, uint8_t id_size, uint8_t word_size, size_t arena_size, size_t tx_size, size_t state_size,
		quash_request *slots, quash_word *word, uint8_t *ids, void *states, uint8_t *arena, uint8_t *tx, quash_counters *counters)
		: a{ slot_count, id_size, word_size, static_cast<quash_size>(arena_size), static_cast<quash_size>(tx_size),
			static_cast<quash_size>(state_size), slots, word, ids, states, arena, tx, counters },
		  b(), c(), d(), e{ nullptr, nullptr, &quash_faults, nullptr }, limit(0) {}
	constexpr config dialect(const quash_dialect *p) const { return with(speech{ p, b.methods, b.count, b.lease_always }); }
	constexpr config lease_always(bool yes) const { return with(speech{ b.dialect, b.methods, b.count, yes }); }
	constexpr config body_limit(uint32_t n) const { return with(n); }
	constexpr config check(quash_check *f) const { return with(hooks{ f, d.new_session, d.trace, d.context }); }
	constexpr config new_session(void (*f)(quash_peer *)) const { return with(hooks{ d.check, f, d.trace, d.context }); }
	constexpr config trace(quash_trace *f) const { return with(hooks{ d.check, d.new_session, f, d.context }); }
	constexpr config context(void *p) const { return with(hooks{ d.check, d.new_session, d.trace, p }); }
	constexpr config calls(const struct quash_call_hooks *p) const { return with(codes{ p, e.keeps, e.faults, e.reasons }); }
	constexpr config keeps(const quash_keeps *p) const { return with(codes{ e.calls, p, e.faults, e.reasons }); }
	constexpr config faults(const struct quash_fault_code *p) const { return with(codes{ e.calls, e.keeps, p, e.reasons }); }
	constexpr config reasons(const struct quash_reason_code *p) const { return with(codes{ e.calls, e.keeps, e.faults, p }); }
	template <size_t N> constexpr config methods(const quash_method (&m)[N]) const
	{
		return with(speech{ b.dialect, m, N, b.lease_always });
	}
	template <size_t N> constexpr config reason(char (&r)[N]) const
	{
		return with(texts{ c.tags, r, c.tag_size, N });
	}
	constexpr config tags(uint8_t *t, unsigned size) const
	{
		return with(texts{ t, c.reason, static_cast<uint8_t>(size), c.reason_size });
	}
	/** All that an MCP server wants of its config. */
	template <size_t N> constexpr config mcp(const quash_method (&m)[N]) const
	{
		return dialect(&quash_mcp).methods(m).check(quash_mcp_check).new_session(quash_mcp_new_session).keeps(&quash_mcp_keeps);
	}
	constexpr operator quash_config() const
	{
		return { a.slot_count, a.id_size, a.word_size, a.arena_size, a.tx_size, a.state_size, a.slots, a.word, a.ids, a.states,
			 a.arena, a.tx, a.counters, b.dialect, b.methods, b.count, c.tag_size, c.reason_size, b.lease_always, limit,
			 c.tags, c.reason, d.check, d.new_session, d.trace, d.context, e.calls, e.keeps, e.faults, e.reasons };
	}
};

/** The larger of two sizes. */
constexpr size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/** The size of a table's struct; 0 without a table. */
constexpr size_t size_of(const quash_params *table)
{
	return table == nullptr ? 0 : table->size;
}

/** The size of the largest struct of the first `n` tools. */
constexpr size_t largest_of(const quash_mcp_tool *tools, size_t n)
{
	return n == 0 ? 0 : larger(larger(size_of(tools->args), size_of(tools->output)), largest_of(tools + 1, n - 1));
}

/** The size of the largest struct of these tools, for QUASH_MCP_STATE: of `constexpr` tables whose params are `constexpr` too. */
template <size_t N>
constexpr size_t largest(const quash_mcp_tool (&tools)[N])
{
	return largest_of(tools, N);
}
}
#endif
#endif
