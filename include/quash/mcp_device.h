/* SPDX-License-Identifier: MIT
 * A whole MCP server out of a table of tools: all else in one line, with sizes that serve every agent host that was
 * tried.
 *
 *     static const quash_mcp_tool tools[] = { { .name = "turn", .description = "Turns the motor", .args = &turn_params,
 *         .call = turn, .motion = { .end = off, .longest = 70000, .lease = 2000, .group = &motor } } };
 *     QUASH_MCP_DEVICE(config, tools, sizeof(struct turn), .name = "motor", .version = "1.0");
 *     int main(void) { return posix_stdio_serve(&config); } */
#ifndef QUASH_MCP_DEVICE_H
#define QUASH_MCP_DEVICE_H

#include "mcp.h"
#ifdef __cplusplus
#include "cxx.h"
#endif

/** The sizes of QUASH_MCP_DEVICE, in bytes but for the first: calls at once, the longest id, the longest progress
 * token, arena
 * and TX. The arena holds a call of every host in docs/hosts.md. Other sizes: the parts of the macro, written out. */
enum {
	QUASH_MCP_DEVICE_SLOTS = 4,
	QUASH_MCP_DEVICE_ID = 40,
	QUASH_MCP_DEVICE_TOKEN = 40,
	QUASH_MCP_DEVICE_ARENA = 256,
	QUASH_MCP_DEVICE_TX = 160
};

#ifdef __cplusplus
namespace quash {
/* What QUASH_MCP_DEVICE is given behind its tools: a server, or a size and a server. */
struct device_members {
	static constexpr mcp_server server(const mcp_server &s)
	{
		return s.with_tools_alone();
	}
	static constexpr mcp_server server(size_t, const mcp_server &s)
	{
		return s.with_tools_alone();
	}
	static constexpr size_t least(const mcp_server &)
	{
		return 0;
	}
	static constexpr size_t least(size_t n, const mcp_server &)
	{
		return n;
	}
};
}
#endif

/** Defines a constant quash_config of that name, with its storage, session, server and methods. All are static, but for
 * the config where QUASH_THE_CONFIG names it:
 *
 *     QUASH_MCP_DEVICE(config, tools, sizeof(struct turn), .name = "motor", .version = "1.0");
 *
 * and in C++11
 *
 *     QUASH_MCP_DEVICE(config, tools, quash::mcp_server("motor", "1.0"));
 *
 * `tools` is an array of quash_mcp_tool. In C its `largest` is the size of its largest struct. `quash_init` refuses one
 * that is too small, and its fault has the size that is needed: `tools[0] turn: state_size 64, needs 72`. In C++ it
 * comes by itself, but for structs that no table of params names: a size in front of the server is the least. Then come
 * members of quash_mcp_server: `name` and `version` at least. Set already are `session`, `tools`, `tool_count`,
 * `token_size`, `modern` and `leases`. It serves both eras. A server with hooks, other sizes, or parts with methods of
 * their own (prompts, logs ...) is written out, as mcp.h shows: this table of methods has tools alone, so `quash_init`
 * refuses those parts, and in C++ they do not compile. */
#ifdef __cplusplus
#define QUASH_MCP_DEVICE(device, tools_, ...) \
	static quash_mcp_session device##_session; \
	static constexpr quash_mcp_server device##_server = \
			quash::device_members::server(__VA_ARGS__).session(&device##_session).tools(tools_) \
		.token_size(QUASH_MCP_DEVICE_TOKEN).modern(&quash_mcp_modern); \
	static constexpr quash_method device##_methods[] = { QUASH_MCP_METHODS(&device##_server) }; \
	QUASH_STORAGE(device##_store, QUASH_MCP_DEVICE_SLOTS, QUASH_MCP_DEVICE_ID, \
		QUASH_MCP_STATE(QUASH_MCP_DEVICE_TOKEN, quash::largest(tools_, quash::device_members::least(__VA_ARGS__))), \
		QUASH_MCP_DEVICE_ARENA, QUASH_MCP_DEVICE_TX); \
	QUASH_MCP_DEVICE_STATIC_ constexpr quash_config device = \
		quash::config(QUASH_STORED(device##_store)).mcp(device##_methods, device##_server)
#else
#define QUASH_MCP_DEVICE(device, tools_, largest, ...) \
	static quash_mcp_session device##_session; \
	static const quash_mcp_server device##_server = { .session = &device##_session, QUASH_MCP_TOOL_LIST(tools_), \
		.token_size = QUASH_MCP_DEVICE_TOKEN, .modern = &quash_mcp_modern, __VA_ARGS__ }; \
	static const quash_method device##_methods[] = { QUASH_MCP_METHODS(&device##_server) }; \
	QUASH_STORAGE(device##_store, QUASH_MCP_DEVICE_SLOTS, QUASH_MCP_DEVICE_ID, \
			QUASH_MCP_STATE(QUASH_MCP_DEVICE_TOKEN, (largest)), \
		QUASH_MCP_DEVICE_ARENA, QUASH_MCP_DEVICE_TX); \
	QUASH_MCP_DEVICE_STATIC_ const quash_config device = { QUASH_MCP_CONFIG(device##_store, device##_methods) }
#endif
/* The config that QUASH_THE_CONFIG names is not static. */
#ifdef QUASH_THE_CONFIG
#define QUASH_MCP_DEVICE_STATIC_
#else
#define QUASH_MCP_DEVICE_STATIC_ static
#endif
#endif
