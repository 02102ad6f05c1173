/* SPDX-License-Identifier: MIT
 * Members that are named in C++11: each function of quash/cxx.h sets its member and leaves the others alone, arrays are counted,
 * the largest struct is found, and all is constant. Returns 0, or the line of the first thing that is wrong. */
#include "quash.h"

#include <string.h>

namespace {

int32_t handler(quash_request *) { return QUASH_DONE; }
int32_t at_rest(quash_request *) { return QUASH_DONE; }
void released(quash_request *) {}
void new_session(quash_peer *) {}
void trace(quash_peer *, quash_event, const quash_request *, int32_t, quash_why) {}
bool check(const quash_config *, quash_fault *) { return true; }

quash_group group;
struct narrow { int32_t a; };
struct wide { int32_t a[6]; };
constexpr quash_params narrow_params = QUASH_NO_PARAMS(narrow), wide_params = QUASH_NO_PARAMS(wide);

/* Bytes of two objects, so that a member which is forgotten here is seen too. */
template <typename T> bool same(const T &a, const T &b)
{
	const unsigned char *x = reinterpret_cast<const unsigned char *>(&a), *y = reinterpret_cast<const unsigned char *>(&b);
	for (size_t i = 0; i < sizeof(T); i++)
		if (x[i] != y[i])
			return false;
	return true;
}

/* Static, so that what stands between members is zero. */
#define SETS(type, begin, chain, change) \
	do { \
		static type with, without, m; \
		static constexpr type made = quash::chain, plain = quash::begin; \
		copy(with, made); \
		copy(without, plain); \
		copy(m, plain); \
		change; \
		if (same(with, without) || !same(with, m)) \
			return __LINE__; \
	} while (0)

/* Members alone: what stands between them stays as it is. */
void copy(quash_method &to, const quash_method &m)
{
	to.name = m.name; to.handler = m.handler; to.motion = m.motion; to.released = m.released; to.cancelled = m.cancelled; to.data = m.data;
	to.state_size = m.state_size; to.marks = m.marks;
}

void copy(quash_mcp_tool &to, const quash_mcp_tool &t)
{
	to.name = t.name; to.title = t.title; to.description = t.description; to.args = t.args; to.output = t.output;
	to.output_schema = t.output_schema; to.call = t.call; to.motion = t.motion; to.released = t.released; to.busy = t.busy;
	to.hints = t.hints; to.marks = t.marks;
}

void copy(quash_mcp_server &to, const quash_mcp_server &s)
{
	to.name = s.name; to.version = s.version; to.title = s.title; to.instructions = s.instructions; to.session = s.session;
	to.tools = s.tools; to.parts = s.parts; to.modern = s.modern; to.watches = s.watches; to.ttl = s.ttl;
	to.tool_count = s.tool_count; to.page = s.page; to.token_size = s.token_size; to.changes = s.changes; to.keeps = s.keeps;
	to.keep_count = s.keep_count; to.leases = s.leases; to.ignored = s.ignored; to.closed = s.closed;
}

void copy(quash_config &to, const quash_config &c)
{
	to.slot_count = c.slot_count; to.id_size = c.id_size; to.word_size = c.word_size; to.arena_size = c.arena_size;
	to.tx_size = c.tx_size; to.state_size = c.state_size; to.slots = c.slots; to.word = c.word; to.ids = c.ids;
	to.states = c.states; to.arena = c.arena; to.tx = c.tx; to.counters = c.counters; to.dialect = c.dialect;
	to.methods = c.methods; to.method_count = c.method_count; to.tag_size = c.tag_size; to.reason_size = c.reason_size;
	to.lease_always = c.lease_always; to.body_limit = c.body_limit; to.tags = c.tags; to.reason = c.reason; to.check = c.check;
	to.new_session = c.new_session; to.trace = c.trace; to.context = c.context; to.calls = c.calls; to.keeps = c.keeps;
	to.faults = c.faults; to.reasons = c.reasons; to.texts = c.texts; to.text_size = c.text_size;
}

const quash_motion motion = { at_rest, 5, 6, &group };

int methods()
{
#define METHOD method("m", handler)
	SETS(quash_method, METHOD, METHOD.released(released), m.released = released);
	SETS(quash_method, METHOD, METHOD.cancelled("{}"), m.cancelled = "{}");
	SETS(quash_method, METHOD, METHOD.data(&group), m.data = &group);
	SETS(quash_method, METHOD, METHOD.moves(at_rest, 5, 6, &group), m.motion = motion);
	SETS(quash_method, METHOD, METHOD.state_size(7), m.state_size = 7);
	SETS(quash_method, METHOD, METHOD.marks(QUASH_PARTIAL), m.marks = QUASH_PARTIAL);
	static quash_method expected, is;
	static constexpr quash_method moved = quash::METHOD.marks(QUASH_SESSION).moves(at_rest, 5, 6, &group);
	const quash_method positional = { "m", handler, { at_rest, 5, 6, &group }, nullptr, nullptr, nullptr, 0, QUASH_SESSION };
	copy(is, moved);
	copy(expected, positional);
	return same(is, expected) ? 0 : __LINE__;
}

int tools()
{
#define TOOL mcp_tool("t", "says", handler)
	SETS(quash_mcp_tool, TOOL, TOOL.title("T"), m.title = "T");
	SETS(quash_mcp_tool, TOOL, TOOL.args(&wide_params), m.args = &wide_params);
	SETS(quash_mcp_tool, TOOL, TOOL.output(&wide_params), m.output = &wide_params);
	SETS(quash_mcp_tool, TOOL, TOOL.output_schema("{}"), m.output_schema = "{}");
	SETS(quash_mcp_tool, TOOL, TOOL.released(released), m.released = released);
	SETS(quash_mcp_tool, TOOL, TOOL.busy("b"), m.busy = "b");
	SETS(quash_mcp_tool, TOOL, TOOL.moves(at_rest, 5, 6, &group), m.motion = motion);
	SETS(quash_mcp_tool, TOOL, TOOL.hints(QUASH_MCP_ADDITIVE), m.hints = QUASH_MCP_ADDITIVE);
	SETS(quash_mcp_tool, TOOL, TOOL.marks(QUASH_FINISHES), m.marks = QUASH_FINISHES);
	static quash_mcp_tool expected, is;
	static constexpr quash_mcp_tool moved = quash::TOOL.args(&wide_params).moves(at_rest, 5, 6, &group).hints(1);
	const quash_mcp_tool positional = { "t", nullptr, "says", &wide_params, nullptr, nullptr, handler, { at_rest, 5, 6, &group },
		nullptr, nullptr, 1, 0 };
	copy(is, moved);
	copy(expected, positional);
	return same(is, expected) ? 0 : __LINE__;
}

void copy(quash_mcp_prompt &to, const quash_mcp_prompt &p)
{
	to.name = p.name; to.title = p.title; to.description = p.description; to.args = p.args; to.get = p.get; to.end = p.end;
	to.released = p.released; to.deadline = p.deadline; to.marks = p.marks;
}

int prompts_of()
{
#define PROMPT mcp_prompt("p", "says", handler)
	SETS(quash_mcp_prompt, PROMPT, PROMPT.title("T"), m.title = "T");
	SETS(quash_mcp_prompt, PROMPT, PROMPT.args(&wide_params), m.args = &wide_params);
	SETS(quash_mcp_prompt, PROMPT, PROMPT.end(at_rest), m.end = at_rest);
	SETS(quash_mcp_prompt, PROMPT, PROMPT.released(released), m.released = released);
	SETS(quash_mcp_prompt, PROMPT, PROMPT.deadline(5), m.deadline = 5);
	SETS(quash_mcp_prompt, PROMPT, PROMPT.marks(QUASH_FINISHES), m.marks = QUASH_FINISHES);
	static quash_mcp_prompt expected, is;
	static constexpr quash_mcp_prompt made = quash::PROMPT;
	const quash_mcp_prompt positional = { "p", nullptr, "says", nullptr, handler, nullptr, nullptr, 0, 0 };
	copy(is, made);
	copy(expected, positional);
	return same(is, expected) ? 0 : __LINE__;
}

void copy(quash_mcp_resource &to, const quash_mcp_resource &r)
{
	to.uri = r.uri; to.name = r.name; to.title = r.title; to.description = r.description; to.mime_type = r.mime_type;
	to.read = r.read; to.end = r.end; to.released = r.released; to.size = r.size; to.ttl = r.ttl; to.deadline = r.deadline;
	to.state_size = r.state_size; to.marks = r.marks;
}

int resources_of()
{
#define RESOURCE mcp_resource("a:b", "b", handler)
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.title("T"), m.title = "T");
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.description("D"), m.description = "D");
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.mime_type("text/plain"), m.mime_type = "text/plain");
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.end(at_rest), m.end = at_rest);
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.released(released), m.released = released);
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.size(5), m.size = 5);
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.ttl(6), m.ttl = 6);
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.deadline(7), m.deadline = 7);
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.state_size(8), m.state_size = 8);
	SETS(quash_mcp_resource, RESOURCE, RESOURCE.marks(QUASH_FINISHES), m.marks = QUASH_FINISHES);
	static quash_mcp_resource expected, is;
	static constexpr quash_mcp_resource made = quash::RESOURCE;
	const quash_mcp_resource positional = { "a:b", "b", nullptr, nullptr, nullptr, handler, nullptr, nullptr, 0, 0, 0, 0, 0 };
	copy(is, made);
	copy(expected, positional);
	return same(is, expected) ? 0 : __LINE__;
}

constexpr quash_mcp_tool three[] = {
	quash::mcp_tool("a", nullptr, handler).args(&narrow_params),
	quash::mcp_tool("b", nullptr, handler).args(&narrow_params).output(&wide_params),
	quash::mcp_tool("c", nullptr, handler),
};
static_assert(quash::largest(three) == sizeof(wide), "the largest struct is found while it compiles");
constexpr quash_mcp_tool none[] = { quash::mcp_tool("c", nullptr, handler) };
static_assert(quash::largest(none) == 0, "nor is one where there is none");

static_assert(quash::largest(none, three, 1) == sizeof(wide), "of several tables");
static_assert(quash::largest(none, 100, three) == 100, "and of sizes");
constexpr quash_mcp_prompt prompts[] = { quash::mcp_prompt("p", nullptr, handler).args(&wide_params) };
static_assert(quash::largest(none, prompts) == sizeof(wide), "of prompts");
constexpr quash_mcp_resource resources[] = { quash::mcp_resource("a:b", "b", handler).state_size(7) };
static_assert(quash::largest(none, resources) == 7, "of resources");
constexpr quash_mcp_prompts prompt_part = quash::mcp_prompts(prompts);
constexpr quash_mcp_resources resource_part = quash::mcp_resources(resources), both_parts = quash::mcp_resources(resources, resources);
static_assert(prompt_part.part.count == 1 && resource_part.part.count == 1 && resource_part.part.template_count == 0, "arrays are counted");
static_assert(both_parts.part.count == 1 && both_parts.part.template_count == 1, "templates too");

quash_mcp_session session, other;
const quash_keep keeps[2] = {};
const char *const ignored[] = { "x", nullptr };
const quash_mcp_part *const parts[] = { nullptr };
quash_mcp_watch watch;
char uri[9];
const quash_mcp_watches watches = { &watch, uri, 1, 8 };

int servers()
{
#define SERVER mcp_server("s", "1").session(&session)
	SETS(quash_mcp_server, SERVER, SERVER.title("T"), m.title = "T");
	SETS(quash_mcp_server, SERVER, SERVER.instructions("I"), m.instructions = "I");
	SETS(quash_mcp_server, SERVER, SERVER.session(&other), m.session = &other);
	SETS(quash_mcp_server, SERVER, SERVER.tools(three), (m.tool_count = 3, m.tools = three, m.leases = &quash_mcp_leases));
	SETS(quash_mcp_server, SERVER, SERVER.parts(parts), m.parts = parts);
	SETS(quash_mcp_server, SERVER, SERVER.modern(&quash_mcp_modern), m.modern = &quash_mcp_modern);
	SETS(quash_mcp_server, SERVER, SERVER.watches(&watches), m.watches = &watches);
	SETS(quash_mcp_server, SERVER, SERVER.ttl(5), m.ttl = 5);
	SETS(quash_mcp_server, SERVER, SERVER.page(6), m.page = 6);
	SETS(quash_mcp_server, SERVER, SERVER.token_size(7), m.token_size = 7);
	SETS(quash_mcp_server, SERVER, SERVER.changes(1), m.changes = 1);
	SETS(quash_mcp_server, SERVER, SERVER.keeps(keeps), (m.keep_count = 2, m.keeps = keeps));
	SETS(quash_mcp_server, SERVER, SERVER.tools(three).leases(nullptr), (m.tool_count = 3, m.tools = three));
	SETS(quash_mcp_server, SERVER, SERVER.ignored(ignored), m.ignored = ignored);
	SETS(quash_mcp_server, SERVER, SERVER.closed(&quash_mcp_closed), m.closed = &quash_mcp_closed);
	return 0;
}

QUASH_STORAGE(store, 2, 24, QUASH_MCP_STATE(0, sizeof(wide)), 64, 64);
constexpr quash_method table[] = { quash::method("a", handler), quash::method("b", handler).marks(QUASH_NOTIFICATION) };
constexpr quash_mcp_server server = quash::mcp_server("s", "1").session(&session).tools(three).modern(&quash_mcp_modern);
constexpr quash_method mcp_methods[] = { QUASH_MCP_METHODS(&server) };
char reason[9];
uint8_t tags[30];

int configs()
{
#define CONFIG config(QUASH_STORED(store)).dialect(&quash_jsonrpc)
	SETS(quash_config, CONFIG, CONFIG.dialect(&quash_lsp), m.dialect = &quash_lsp);
	SETS(quash_config, CONFIG, CONFIG.methods(table), (m.method_count = 2, m.methods = table));
	SETS(quash_config, CONFIG, CONFIG.lease_always(true), m.lease_always = true);
	SETS(quash_config, CONFIG, CONFIG.body_limit(5), m.body_limit = 5);
	SETS(quash_config, CONFIG, CONFIG.tags(tags, 10), (m.tag_size = 10, m.tags = tags));
	SETS(quash_config, CONFIG, CONFIG.reason(reason), (m.reason_size = 9, m.reason = reason));
	SETS(quash_config, CONFIG, CONFIG.texts(tags, 10), (m.text_size = 10, m.texts = tags));
	SETS(quash_config, CONFIG, CONFIG.check(check), m.check = check);
	SETS(quash_config, CONFIG, CONFIG.new_session(new_session), m.new_session = new_session);
	SETS(quash_config, CONFIG, CONFIG.trace(trace), m.trace = trace);
	SETS(quash_config, CONFIG, CONFIG.context(&group), m.context = &group);
	SETS(quash_config, CONFIG, CONFIG.calls(&quash_calls), m.calls = &quash_calls);
	SETS(quash_config, CONFIG, CONFIG.keeps(&quash_mcp_keeps), m.keeps = &quash_mcp_keeps);
	SETS(quash_config, CONFIG, CONFIG.faults(nullptr), m.faults = nullptr);
	SETS(quash_config, CONFIG, CONFIG.reasons(&quash_reasons), m.reasons = &quash_reasons);
	static quash_config expected, is;
	static constexpr quash_config made = quash::CONFIG.mcp(mcp_methods, server), positional = { QUASH_MCP_CONFIG(store, mcp_methods) };
	copy(is, made);
	copy(expected, positional);
	if (!same(is, expected))
		return __LINE__;
	static constexpr quash_config plain = quash::CONFIG.methods(table), macro = { QUASH_CONFIG(store, &quash_jsonrpc, table) };
	copy(is, plain);
	copy(expected, macro);
	return same(is, expected) ? 0 : __LINE__;
}

/* Parts of which each has its methods, behind one whose kind nobody sees, and around one that asks. */
const uint8_t key[QUASH_MCP_KEY] = { 1 };
constexpr quash_mcp_input input = QUASH_MCP_INPUT(key, 9, 9);
constexpr quash_mcp_logging logging = { { &quash_mcp_logging_kind }, 1 };
constexpr quash_mcp_prompts no_prompts = { { &quash_mcp_prompts_kind }, nullptr, 0 };
constexpr const quash_mcp_part *const asking[] = { &logging.part, &input.part, &no_prompts.part, nullptr };
constexpr const quash_mcp_part *const legacy[] = { &quash_mcp_ask_part, &logging.part, &no_prompts.part, nullptr };
#define PARTED(name, list, hooks) \
	constexpr quash_mcp_server name##_server = quash::mcp_server("s", "1").session(&session).tools(three).modern(&quash_mcp_modern) \
		.parts(list); \
	constexpr quash_method name##_methods[] = { QUASH_MCP_METHODS(&name##_server), QUASH_MCP_PROMPTS(&name##_server), \
		QUASH_MCP_LOGGING(&name##_server) }; \
	constexpr quash_config name = quash::config(QUASH_STORED(store)).mcp(name##_methods, name##_server).calls(hooks)
PARTED(asks, asking, &quash_mcp_calls);
PARTED(asks_legacy, legacy, &quash_calls);

/* Parts whose structs just fit, and a config that is made of members alone: C finds there what C++ has put into the parts. */
constexpr const quash_mcp_part *const filled[] = { &both_parts.part, &prompt_part.part, nullptr };
constexpr quash_mcp_server filled_server = quash::mcp_server("s", "1").session(&session).tools(none).parts(filled);
constexpr quash_method filled_methods[] = { QUASH_MCP_LEGACY(&filled_server), QUASH_MCP_TOOLS(&filled_server),
	QUASH_MCP_RESOURCES(&filled_server), QUASH_MCP_PROMPTS(&filled_server) };
constexpr quash_config fits = quash::config(QUASH_STORED(store)).mcp(filled_methods, filled_server);
QUASH_STORAGE(small_store, 2, 24, QUASH_MCP_STATE(0, 7), 64, 64);
const quash_config too_small = { QUASH_MCP_CONFIG(small_store, filled_methods) };

QUASH_MCP_DEVICE(device, three, quash::mcp_server("d", "1").instructions("I"));
QUASH_MCP_DEVICE(larger, three, 200, quash::mcp_server("d", "1"));
static_assert(size_t(device_store_state_size) < size_t(larger_store_state_size), "its structs may be larger than those of tables");

int whole()
{
	quash_peer peer;
	quash_fault fault;
	const quash_config *const all[] = { &device, &larger, &asks, &asks_legacy, &fits };
	for (const quash_config *config : all)
		if (!quash_init(&peer, config, &fault))
			return __LINE__;
	char line[80];
	if (quash_init(&peer, &too_small, &fault))
		return __LINE__;
	quash_fault_line(&fault, line, sizeof line);
	return strncmp(line, "prompts[0] p: state_size ", 25) == 0 ? 0 : __LINE__;
}

}

int main()
{
	int (*const parts[])() = { methods, tools, prompts_of, resources_of, servers, configs, whole };
	int line = 0;
	for (int (*const part)() : parts)
		if (line == 0)
			line = part();
	return line;
}
