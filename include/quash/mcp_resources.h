/* SPDX-License-Identifier: MIT
 * Resources of a Model Context Protocol server: what it lets others read, by URI (2025-11-25 and 2026-07-28
 * server/resources).
 *
 *     static const quash_mcp_resource list[] = {
 *         QUASH_MCP_RESOURCE("log://boot", "boot", "text/plain", read_log, 0) };
 *     static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LIST(list);
 *     static const quash_mcp_part *const parts[] = { &resources.part, NULL };
 *     static const quash_mcp_server server = { ..., .parts = parts };
 *     static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_RESOURCES(&server) };
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_RESOURCES_H
#define QUASH_MCP_RESOURCES_H

#include "cxx.h"

#ifdef __cplusplus
namespace quash {
/* See quash_mcp_resources. As `part` has all of it, C++ finds the resources of a server's part while it compiles. */
struct resources_part {
	struct whole : quash_mcp_part {
		const quash_mcp_resource *list, *templates;
		uint8_t count, template_count;
		constexpr whole(const quash_mcp_part &p, const quash_mcp_resource *l, const quash_mcp_resource *t, uint8_t n,
			uint8_t m)
			: quash_mcp_part(p), list(l), templates(t), count(n), template_count(m) {}
		template <typename element = quash_mcp_resource> constexpr size_t largest() const
		{
			return sizes_of::both(sizes_of::known<element>(list, count),
				sizes_of::known<element>(templates, template_count));
		}
	} part;
	constexpr resources_part(const quash_mcp_part &p, const quash_mcp_resource *l, const quash_mcp_resource *t,
		uint8_t n, uint8_t m) : part(p, l, t, n, m) {}
};
}

extern "C" {
#endif

/** A resource, or with a URI template in place of the URI as many as it fits. Constant, may live in flash.
 *
 * Of templates (RFC 6570) this much: `{name}` stands for one byte or more other than `/`, `{+name}` for one or more of
 * any. A value ends in front of the first byte that equals the one after the brace. */
typedef struct quash_mcp_resource {
	const char *uri;         /**< its URI, or URI template */
	const char *name;
	const char *title;       /**< for people, or NULL */
	const char *description; /**< for models, or NULL */
	const char *mime_type;   /**< or NULL */
	/** As a tool's handler. It ends with `return quash_mcp_read_text(...)` or one of its kin, or
	 * `quash_mcp_no_resource`. */
	quash_handler *read;
	int32_t (*end)(quash_request *request);   /**< see `quash_motion.end`; or NULL. Runs if `read` was called */
	void (*released)(quash_request *request); /**< see `quash_method.released`; or NULL. Runs if `read` was called */
	uint32_t size;           /**< of the content in bytes, 0: not listed */
	uint32_t ttl;            /**< milliseconds for which a modern client may keep the content */
	uint32_t deadline;       /**< ms from getting a slot until it is cancelled; 0: none; at most 2^31 - 1 */
	quash_size state_size;   /**< bytes of its struct (QUASH_TOOL), zero at the first call */
	uint8_t marks;           /**< QUASH_FINISHES: `read` is called again once cancelled, also with an `end`; or 0 */
} quash_mcp_resource;

/** An entry of a resource table, positional, for C and C++. */
#define QUASH_MCP_RESOURCE(uri, name, mime_type, read, state_size) \
	{ (uri), (name), NULL, NULL, (mime_type), (read), NULL, NULL, 0, 0, 0, (quash_size)(state_size), 0 }

/** The part of a server that offers resources. Constant, may live in flash. In C++ what follows `part` is in it. */
#ifdef __cplusplus
typedef quash::resources_part quash_mcp_resources;
#else
typedef struct quash_mcp_resources {
	quash_mcp_part part;                 /**< `{ &quash_mcp_resources_kind }` */
	const quash_mcp_resource *list;      /**< or NULL */
	const quash_mcp_resource *templates; /**< asked when none of the list has the URI; or NULL */
	uint8_t count;
	uint8_t template_count;
} quash_mcp_resources;
#endif

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_resources_kind;

/** The part with the resources of an array, or of two arrays, positional, for C and C++. */
#define QUASH_MCP_RESOURCE_LIST(list) \
	{ { &quash_mcp_resources_kind }, (list), NULL, (uint8_t)(sizeof(list) / sizeof((list)[0])), 0 }
#define QUASH_MCP_RESOURCE_LISTS(list, templates) \
	{ { &quash_mcp_resources_kind }, (list), (templates), (uint8_t)(sizeof(list) / sizeof((list)[0])), \
	  (uint8_t)(sizeof(templates) / sizeof((templates)[0])) }

/** The entries of a method table for resources. `server` points to a quash_mcp_server. The state they need is
 * QUASH_MCP_STATE with the largest `state_size` of a resource. */
#define QUASH_MCP_RESOURCES(server) \
	QUASH_MCP_METHOD_("resources/list", quash_mcp_resources_list_, server, 0), \
	QUASH_MCP_METHOD_("resources/templates/list", quash_mcp_templates_list_, server, 0), \
	QUASH_HOOKED_("resources/read", quash_mcp_resources_read_, quash_mcp_resources_end_, \
		quash_mcp_resources_released_, server, sizeof(quash_mcp_slot), QUASH_LISTED)

/** Resource not found, for legacy clients; modern ones get QUASH_INVALID_PARAMS. */
#define QUASH_MCP_NO_RESOURCE ((int32_t)-32002)

/* --- Looking at a reading (its handler) -------------------------------------------------------------- */

/** The resource that is read. */
const quash_mcp_resource *quash_mcp_resource_of(const quash_request *request);

/** The URI that was asked for, NUL-terminated. Lives as every view: until the handler, hook or put function returns. A
 * reading of a template keeps its params for it. */
const char *quash_mcp_uri(const quash_request *request);

/** What stands for `{name}` in the URI, with `%41` and its kin decoded.
 *
 * @param to    where it is stored, NUL-terminated
 * @param size  of that, in bytes
 * @return      false when there is no such name, it does not fit, or a NUL stands in it; then `to` is "" */
bool quash_mcp_variable(const quash_request *request, const char *name, char *to, size_t size);

/* --- Results (its handler) ---------------------------------------------------------------------------
 *
 * Each records the answer and returns what `quash_reply` returns. */

/** The content is one text. A literal only. */
#define quash_mcp_read_text(request, literal) quash_mcp_read_text_((request), "" literal "")
/** What the macro above stands for. `text` must live until the answer has left: a constant. */
int32_t quash_mcp_read_text_(quash_request *request, const char *text);

/** What 0.3.0 had: docs/upgrading.md has each line, old and new. */
#define quash_mcp_read_literal(request, text) quash_mcp_read_literal_is_gone_write_quash_mcp_read_text

/** The content is one text, which `put` puts as one string. */
int32_t quash_mcp_read_put(quash_request *request, quash_put *put);

/** The content is one text, which is the JSON value that `put` puts. */
int32_t quash_mcp_read_json(quash_request *request, quash_put *put);

/** The content is `size` bytes, sent as base64. They stand until the answer has left: constants, or in the state. */
int32_t quash_mcp_read_blob(quash_request *request, const void *data, uint32_t size);

/** The content is bytes that `put` puts: `quash_mcp_base64_open`, any number of parts, `quash_mcp_base64_close`. */
int32_t quash_mcp_read_blob_put(quash_request *request, quash_put *put);

/** A result of any contents: `put` puts objects with `uri` and `text` or `blob`, one after the other. */
int32_t quash_mcp_contents(quash_request *request, quash_put *put);

/** There is no such resource after all: of a template, or because it is gone. */
int32_t quash_mcp_no_resource(quash_request *request);

/** Bytes on their way into base64 (RFC 4648 section 4). The caller owns it; opaque. */
typedef struct quash_mcp_base64 {
	quash_writer *writer;
	uint8_t held[3];
	uint8_t count;
} quash_mcp_base64;

/** Begins a base64 string as the next value of `w`, also for `data` of images and audio in a tool's content. */
void quash_mcp_base64_open(quash_mcp_base64 *b, quash_writer *w);

/** The next `size` bytes. */
void quash_mcp_base64_part(quash_mcp_base64 *b, const void *data, size_t size);

/** Ends the string. */
void quash_mcp_base64_close(quash_mcp_base64 *b);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_mcp_resources_list_; /**< with pagination; bad cursor -32602 */
quash_handler quash_mcp_templates_list_; /**< the same */
quash_handler quash_mcp_resources_read_; /**< unknown URI -32002, modern -32602, with `data.uri` */
int32_t quash_mcp_resources_end_(quash_request *request);   /**< the `end` hook of `resources/read` */
void quash_mcp_resources_released_(quash_request *request); /**< the `released` hook of `resources/read` */

#ifdef __cplusplus
}

/* --- With named members, in C++11: see cxx.h ---------------------------------------------------------------- */

namespace quash {

/** A resource or a template, see quash_mcp_resource. */
class mcp_resource {
	struct address { const char *uri, *name, *title, *description, *mime_type; };
	struct reader { quash_handler *read; int32_t (*end)(quash_request *); void (*released)(quash_request *); };
	struct extents { uint32_t size, ttl, deadline; quash_size state_size; uint8_t marks; };
	address names;
	reader hooks;
	extents own;
	constexpr mcp_resource(address names_, reader hooks_, extents own_) : names(names_), hooks(hooks_), own(own_) {}
	constexpr mcp_resource with(const address &g) const { return mcp_resource(g, hooks, own); }
	constexpr mcp_resource with(const reader &g) const { return mcp_resource(names, g, own); }
	constexpr mcp_resource with(const extents &g) const { return mcp_resource(names, hooks, g); }

public:
	/** With what every resource has. */
	constexpr mcp_resource(const char *uri, const char *name, quash_handler *read)
		: names{ uri, name, nullptr, nullptr, nullptr }, hooks{ read, nullptr, nullptr }, own() {}
	template <typename result, typename... arguments>
	constexpr mcp_resource(const char *uri, const char *name, result (*)(arguments...))
		: mcp_resource(uri, name, no_handler<result(arguments...)>()) {}
	constexpr mcp_resource title(const char *t) const
	{
		return with(address{ names.uri, names.name, t, names.description, names.mime_type });
	}
	constexpr mcp_resource description(const char *t) const
	{
		return with(address{ names.uri, names.name, names.title, t, names.mime_type });
	}
	constexpr mcp_resource mime_type(const char *t) const
	{
		return with(address{ names.uri, names.name, names.title, names.description, t });
	}
	constexpr mcp_resource end(int32_t (*f)(quash_request *)) const
	{
		return with(reader{ hooks.read, f, hooks.released });
	}
	constexpr mcp_resource released(void (*f)(quash_request *)) const
	{
		return with(reader{ hooks.read, hooks.end, f });
	}
	constexpr mcp_resource size(uint32_t n) const
	{
		return with(extents{ n, own.ttl, own.deadline, own.state_size, own.marks });
	}
	constexpr mcp_resource ttl(uint32_t ms) const
	{
		return with(extents{ own.size, ms, own.deadline, own.state_size, own.marks });
	}
	constexpr mcp_resource deadline(int64_t ms) const
	{
		return with(extents{ own.size, own.ttl,
			narrowed<uint32_t>(ms, UINT32_MAX, wrong::resources::deadline_is_too_large), own.state_size, own.marks });
	}
	constexpr mcp_resource state_size(int64_t n) const
	{
		return with(extents{ own.size, own.ttl, own.deadline,
			narrowed<quash_size>(n, LARGEST, wrong::resources::state_size_is_too_large), own.marks });
	}
	constexpr mcp_resource marks(int64_t m) const
	{
		return with(extents{ own.size, own.ttl, own.deadline, own.state_size,
			narrowed<uint8_t>(m, UINT8_MAX, wrong::resources::marks_do_not_go_together) });
	}
	constexpr operator quash_mcp_resource() const
	{
		return { names.uri, names.name, names.title, names.description, names.mime_type, hooks.read, hooks.end,
			hooks.released, own.size, own.ttl, own.deadline, own.state_size, own.marks };
	}
};

}

/* --- What quash_init finds */

namespace quash {
template <> struct rules<quash_mcp_resource> {
	static constexpr entry_key key(const quash_mcp_resource &r) { return { r.uri, 0 }; }
	template <size_t N> static constexpr int check(const quash_mcp_resource &r, const entry_keys<N> &keys, size_t index)
	{
		return is_missing(r.uri) ? wrong::resources::uri_is_missing() :
			*r.uri == '\0' ? wrong::resources::uri_is_no_name() :
			clashes_before(keys, keys.at[index], index) ? wrong::resources::uri_stands_twice() :
			is_missing(r.name) ? wrong::resources::name_is_missing() :
			is_missing(r.read) ? wrong::resources::read_is_missing() :
			is_late(r.deadline) ? wrong::resources::deadline_is_too_large() :
			are_wrong_marks_of(r.marks, !is_missing(r.end)) ? wrong::resources::marks_do_not_go_together() : 0;
	}
};

template <size_t N>
constexpr int check_structs_(structs_of<quash_mcp_resource, N>, const quash_mcp_part *const *part, size_t room)
{
	return has_larger_<quash_mcp_resources>(part, room) ? wrong::resources::state_size_is_too_small() : 0;
}

/** The part with the resources of an array, or of two: the second one has templates. */
template <size_t N>
constexpr quash_mcp_resources mcp_resources(const quash_mcp_resource (&list)[N])
{
	static_assert(N <= UINT8_MAX, "resources: count is too large: a part has at most 255 resources");
	return { { &quash_mcp_resources_kind }, list, nullptr, counted<N>(check_table<N>(list)), 0 };
}

template <size_t N, size_t M>
constexpr quash_mcp_resources mcp_resources(const quash_mcp_resource (&list)[N],
	const quash_mcp_resource (&templates)[M])
{
	static_assert(N <= UINT8_MAX && M <= UINT8_MAX, "resources: count is too large: a part has at most 255 resources");
	return { { &quash_mcp_resources_kind }, list, templates, counted<N>(check_table<N>(list)),
		counted<M>(check_table<M>(templates)) };
}

template <typename element, size_t N>
constexpr quash_mcp_resources mcp_resources(element (&&)[N])
{
	return { { &quash_mcp_resources_kind }, nullptr, nullptr, no_table<N>(), 0 };
}
}
#endif
#endif
