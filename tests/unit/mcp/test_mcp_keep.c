/* SPDX-License-Identifier: MIT
 * What of params a server keeps: messages of agent hosts, in shape, order and length, at the least arena that serves them. */
#include "quash/mcp_ask.h"
#include "quash/mcp_logging.h"
#include "unit.h"

/* --- What hosts send: names and values of our own where the protocol does not prescribe them. ' stands for " */

struct visit {
	const char *host, *greeting, *list, *call, *cancel;
};

static const struct visit visits[] = {
	{ "Claude Code, 2026-07-28",
		"{'jsonrpc':'2.0','id':'server-discover-probe-1','method':'server/discover','params':{'_meta':{"
		"'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientInfo':{"
		"'name':'made up for','title':'made up for','version':'1.21.21',"
		"'description':'made up for tests; made up for ','websiteUrl':'https://example.org/ahttps://e'},"
		"'io.modelcontextprotocol/clientCapabilities':{'roots':{'listChanged':true},'elicitation':{'form':{},'url':{"
		"}}}}}}",
		"{'method':'tools/list','params':{'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
		"'io.modelcontextprotocol/clientInfo':{'name':'made up for','title':'made up for','version':'1.21.21',"
		"'description':'made up for tests; made up for ','websiteUrl':'https://example.org/ahttps://e'},"
		"'io.modelcontextprotocol/clientCapabilities':{'roots':{'listChanged':true},'elicitation':{'form':{},'url':{"
		"}}},'progressToken':0}},'jsonrpc':'2.0','id':1}",
		"{'method':'tools/call','params':{'name':'stepper','arguments':{'steps':3000},'_meta':{"
		"'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientInfo':{"
		"'name':'made up for','title':'made up for','version':'1.21.21',"
		"'description':'made up for tests; made up for ','websiteUrl':'https://example.org/ahttps://e'},"
		"'io.modelcontextprotocol/clientCapabilities':{'roots':{'listChanged':true},'elicitation':{'form':{},'url':{"
		"}}},'made up for tests; m':'made up for tests; made up for','progressToken':1}},'jsonrpc':'2.0','id':2}",
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,"
		"'reason':'made up for tests; made u','_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
		"'io.modelcontextprotocol/clientInfo':{'name':'made up for','title':'made up for','version':'1.21.21',"
		"'description':'made up for tests; made up for ','websiteUrl':'https://example.org/ahttps://e'},"
		"'io.modelcontextprotocol/clientCapabilities':{'roots':{'listChanged':true},'elicitation':{'form':{},'url':{"
		"}}}}}}" },
	{ "Claude Code, 2025-11-25",
		"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{"
		"'roots':{'listChanged':true},'elicitation':{'form':{},'url':{}}},'clientInfo':{'name':'made up for',"
		"'title':'made up for','version':'1.21.21','description':'made up for tests; made up for ',"
		"'websiteUrl':'https://example.org/ahttps://e'}}}",
		"{'method':'tools/list','params':{'_meta':{'progressToken':0}},'jsonrpc':'2.0','id':1}",
		"{'method':'tools/call','params':{'name':'stepper','arguments':{'steps':3000},'_meta':{"
		"'made up for tests; m':'made up for tests; made up for','progressToken':1}},'jsonrpc':'2.0','id':2}",
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,"
		"'reason':'made up for tests; made u'}}" },
	{ "Codex CLI, 2025-06-18",
		"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-06-18','capabilities':{"
		"'experimental':{'made up for tests':{}},'elicitation':{'form':{},'url':{}}},'clientInfo':{"
		"'name':'made up for test','title':'made ','version':'1.21.21'}}}",
		"{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{'progressToken':0}}}",
		"{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'_meta':{'call_2':'made up for tests; made up f',"
		"'x-agent-turn-metadata':{'session_is':'5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5',"
		"'thread_is':'5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5','model':'made up for te',"
		"'turn_is':'5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5','turn_started_at_wall_ms':1234567890123,"
		"'thread_maker':'user','turn_beginner':'made','walls':'none','walls_mode':'made up for tests;',"
		"'auto_answer_enabled':false,'some_long_answer_is_required':false,'node_runs_disabled':false,'folders':{"
		"'/a/folder//a/folder//a/folder//a':{'associated_addresses_x':{'origin':'https://example.org/https://examp'},"
		"'latest_commit_of_work_':'89ab456789ab456789ab456789ab456789ab4567','is_changed_':false}},"
		"'agent_version':'1.21.21'},'threadIs':'5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5',"
		"'sessionIs':'5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5','windowIs':'5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5:0',"
		"'itemIs':'made up for tests; made up for tests; made up for t','progressToken':1},'name':'stepper',"
		"'arguments':{'steps':3000}}}",
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,"
		"'reason':'made up for tests; made up for '}}" },
	{ "Copilot CLI, 2026-07-28",
		"{'jsonrpc':'2.0','id':'server-discover-probe-1','method':'server/discover','params':{'_meta':{"
		"'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientInfo':{"
		"'name':'made up for','version':'1.21.21'},'io.modelcontextprotocol/clientCapabilities':{'sampling':{}}}}}",
		"{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
		"'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientInfo':{"
		"'name':'made up for','version':'1.21.21'},'io.modelcontextprotocol/clientCapabilities':{'sampling':{}},"
		"'progressToken':0}}}",
		"{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'_meta':{"
		"'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientInfo':{"
		"'name':'made up for','version':'1.21.21'},'io.modelcontextprotocol/clientCapabilities':{'sampling':{}},"
		"'progressToken':1},'arguments':{'steps':3000},'name':'stepper'}}",
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,'reason':'made up for tests'}}" },
	{ "Copilot CLI, 2025-11-25",
		"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{"
		"'sampling':{}},'clientInfo':{'name':'made up for','version':'1.21.21'}}}",
		"{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{'progressToken':0}}}",
		"{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'_meta':{'progressToken':1},'arguments':{"
		"'steps':3000},'name':'stepper'}}",
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,'reason':'made up for tests'}}" },
	{ "opencode, 2025-11-25",
		"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{"
		"'roots':{}},'clientInfo':{'name':'made up ','version':'1.21.21'}}}",
		"{'method':'tools/list','params':{'_meta':{'progressToken':0}},'jsonrpc':'2.0','id':1}",
		"{'method':'tools/call','params':{'name':'stepper','arguments':{'steps':3000},'_meta':{'progressToken':2}},"
		"'jsonrpc':'2.0','id':2}",
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,"
		"'reason':'made up for tests; made up for tests; '}}" },
	{ "Qwen Code, 2025-11-25",
		"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{"
		"'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':['made up for tests; made u']}},'roots':{}},"
		"'clientInfo':{'name':'made up for tests; made up','version':'1.21.'}}}",
		"{'method':'tools/list','params':{'_meta':{'progressToken':0}},'jsonrpc':'2.0','id':1}",
		"{'method':'tools/call','params':{'name':'stepper','arguments':{'steps':3000},'_meta':{'progressToken':4}},"
		"'jsonrpc':'2.0','id':2}",
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,"
		"'reason':'made up for tests; made up fo'}}" },
	{ "Gemini CLI, 2025-06-18",
		"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-06-18','capabilities':{"
		"'roots':{'listChanged':true}},'clientInfo':{'name':'made up for tests; ma','version':'1.21.2'}}}",
		"{'method':'tools/list','params':{'_meta':{'progressToken':0}},'jsonrpc':'2.0','id':1}",
		"{'method':'tools/call','params':{'name':'stepper','arguments':{'steps':3000},'_meta':{"
		"'progressToken':'5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5'}},'jsonrpc':'2.0','id':2}",
	NULL },
};

/* --- The device: one tool with one argument, which waits that many milliseconds */

struct motor {
	int32_t steps;
	bool on;
};

static unsigned started, ended;

static int32_t stepper(quash_request *request)
{
	struct motor *const m = QUASH_TOOL(struct motor, request);
	if (m->on)
		return quash_mcp_text(request, "stepped");
	m->on = true;
	started++;
	(void)quash_mcp_progress(request, 1, 2, NULL);
	return quash_wait(request, (uint32_t)m->steps);
}

static int32_t stop(quash_request *request)
{
	(void)request;
	ended++;
	return QUASH_DONE;
}

static const quash_param stepper_list[] = { QUASH_ARG_INT(struct motor, steps, 1, 60000, NULL) };
static const quash_params stepper_params = QUASH_PARAMS(struct motor, stepper_list);
static const quash_mcp_tool tools[] = {
	{ .name = "stepper", .description = "Turns the motor", .args = &stepper_params, .call = stepper,
	  .motion = { .end = stop, .longest = QUASH_NO_LIMIT } } };
static quash_mcp_session session;

enum { TOKEN = 40, ARENA = 2048, HEARD = 2048 };
static const quash_mcp_server server = { .name = "motor", .version = "1.0", .session = &session, QUASH_MCP_TOOL_LIST(tools),
	.token_size = TOKEN, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, 4, 24, QUASH_MCP_STATE(TOKEN, sizeof(struct motor)), ARENA, 160);
static const quash_config whole = { QUASH_MCP_CONFIG(store, methods) };

quash_config config; /* the linker names it: tests/unit/known */
static quash_peer peer;
static char heard[HEARD];
static size_t heard_length;
static size_t said, cut; /* bytes since the beginning; where a feed ends. 0: after each byte */
static unsigned waited; /* how often the peer took no more before a step */

static void drain(void)
{
	size_t n;
	for (const uint8_t *out = quash_out(&peer, &n); n > 0; out = quash_out(&peer, &n)) {
		for (size_t i = 0; i < n && heard_length < HEARD - 1; i++)
			heard[heard_length++] = (char)out[i];
		quash_sent(&peer, n);
	}
	heard[heard_length] = '\0';
}

static void pass(uint32_t ms)
{
	quash_tick(&peer, quash_now(&peer) + ms);
	for (unsigned i = 0; i < 8; i++) {
		quash_step(&peer);
		drain();
	}
}

/* A peer that takes no more waits for a step. */
static void feed(const char *bytes, size_t n)
{
	while (n > 0) {
		const size_t taken = quash_feed(&peer, (const uint8_t *)bytes, n);
		bytes += taken;
		n -= taken;
		if (n > 0) {
			waited++;
			pass(0);
		}
	}
}

static void say_bytes(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n;) {
		const size_t to_cut = cut == 0 ? 1 : said < cut && cut - said < n - i ? cut - said : n - i;
		feed(&bytes[i], to_cut);
		i += to_cut;
		said += to_cut;
	}
}

static void say_part(const char *text, size_t n)
{
	static char part[ROOM_FOR(1200)];
	assert_room(n <= sizeof part);
	for (size_t i = 0; i < n; i++)
		part[i] = text[i] == '\'' ? '"' : text[i];
	say_bytes(part, n);
}

static void say(const char *text)
{
	say_part(text, strlen(text));
}

static void say_line(const char *text)
{
	say(text);
	say_bytes("\n", 1);
}

static void begin(quash_size arena, const quash_keeps *keeps)
{
	quash_fault fault;
	config = whole;
	config.arena_size = arena;
	config.keeps = keeps;
	assert_true(quash_init(&peer, &config, &fault));
	quash_mcp_new_session(&peer);
	heard_length = said = 0;
	started = ended = waited = 0;
}

/* What was said since the last time. */
static bool hears(const char *part)
{
	const bool found = strstr(heard, part) != NULL;
	heard_length = 0;
	return found;
}

static bool is_greeted(const struct visit *v)
{
	say_line(v->greeting);
	pass(0);
	if (!hears("\"result\":"))
		return false;
	say_line(v->list);
	pass(0);
	return hears("\"name\":\"stepper\"");
}

/* It is called, runs to its end, is called again, and is cancelled. */
static bool is_served(const struct visit *v)
{
	if (!is_greeted(v))
		return false;
	say_line(v->call);
	pass(0);
	if (started != 1 || !hears("\"progress\":1"))
		return false;
	pass(3000);
	if (ended != 1 || !hears("stepped"))
		return false;
	if (v->cancel == NULL)
		return true;
	say_line(v->call);
	pass(0);
	heard_length = 0;
	say_line(v->cancel);
	pass(0);
	return started == 2 && ended == 2 && heard_length == 0;
}

/* Of the sizes that are far below the one that is expected a slow board tries some. */
static quash_size least_arena(const struct visit *v, const quash_keeps *keeps, quash_size expected)
{
	quash_size size = 64;
	cut = SIZE_MAX;
	for (;; size = (quash_size)(size + (size + STRIDE < expected ? STRIDE : 1))) {
		begin(size, keeps);
		if (is_served(v))
			return size;
		assert_in_range(size, 0, ARENA - 1);
	}
}

/* --- The arena: docs/hosts.md, What arena follows */

enum {
	ARGUMENTS = 38, /* 'arguments':{'steps':3000}, see docs/memory.md */
	ARENA_OF_HOST = 128 + ARGUMENTS,
	FREE = 8 /* are to be free while a byte is received behind the params of others */
};

/* With what is kept, and with everything kept. */
static const quash_size least[][2] = {
	{ 166, 575 }, { 103, 339 }, { 103, 1101 }, { 166, 325 }, { 103, 149 }, { 103, 143 }, { 103, 264 }, { 138, 172 } };

static void test_arena(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(visits); i++) {
		assert_int_equal(least_arena(&visits[i], &quash_mcp_keeps, least[i][0]), least[i][0]);
		assert_int_equal(least_arena(&visits[i], NULL, least[i][1]), least[i][1]);
		assert_in_range(least[i][0], 0, ARENA_OF_HOST);
	}
}

/* The mark says what is wanted, however little there is. */
static void test_wanted_arena(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(visits); i++) {
		for (quash_size size = QUASH_ARENA_MIN; size <= ARENA_OF_HOST; size = (quash_size)(size + STRIDE)) {
			cut = size % 3;
			begin(size, &quash_mcp_keeps);
			say_line(visits[i].call);
			assert_int_equal(quash_counters_of(&peer)->most_arena, least[i][0]);
		}
	}
}

static void served_cut_at(const struct visit *v, size_t at)
{
	cut = at;
	begin(ARENA_OF_HOST, &quash_mcp_keeps);
	assert_true(is_served(v));
}

static void test_every_cut(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(visits); i++) {
		served_cut_at(&visits[i], SIZE_MAX);
		const size_t length = said;
		for (size_t at = 0; at < length; at += STRIDE)
			served_cut_at(&visits[i], at);
	}
}

static void say_call_as(const char *call, char id)
{
	const char *const at = strstr(call, "'id':2") + 5;
	say_part(call, (size_t)(at - call));
	say_part(&id, 1);
	say_line(at + 1);
}

static void test_two_at_once(void **state)
{
	(void)state;
	cut = SIZE_MAX;
	for (unsigned i = 0; i < COUNT_OF(visits); i++) {
		begin(2 * ARENA_OF_HOST + FREE, &quash_mcp_keeps);
		assert_true(is_greeted(&visits[i]));
		say_call_as(visits[i].call, '2');
		say_call_as(visits[i].call, '3');
		assert_int_equal(waited, 0);
		pass(0);
		assert_int_equal(started, 2);
		pass(3000);
		assert_int_equal(ended, 2);
	}
}

/* --- Whatever else stands in _meta */

enum { GROWN = ROOM_FOR(65536) };

struct growth {
	const char *first, *again, *last;
};

/* The members that `first` begins, `again` goes on with, and `last` ends. */
static void say_grown(const char *call, const struct growth *g)
{
	const char *const at = strstr(call, "'_meta':{") + 9;
	say_part(call, (size_t)(at - call));
	say(g->first);
	for (size_t n = 0; n < GROWN; n += strlen(g->again))
		say(g->again);
	say(g->last);
	say_line(at);
}

static void test_grown_meta(void **state)
{
	static const struct growth growths[] = { { "'text':'", "a long text \\u00e9", "'," }, { "'", "a long name \\ud83d\\ude00 ", "':1," },
		{ "", "'a':{'b':[1,2,{'c':null}],'progressToken':2},", "" } };
	static const size_t cuts[] = { SIZE_MAX, 0, GROWN / 2 };
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(visits); i++) {
		for (unsigned g = 0; g < COUNT_OF(growths); g++) {
			for (unsigned c = 0; c < COUNT_OF(cuts); c++) {
				cut = cuts[c];
				begin(ARENA_OF_HOST, &quash_mcp_keeps);
				assert_true(is_greeted(&visits[i]));
				say_grown(visits[i].call, &growths[g]);
				pass(0);
				assert_int_equal(started, 1);
				assert_true(hears("\"progress\":1"));
			}
		}
	}
}

/* --- Tokens */

static void greet(void)
{
	cut = SIZE_MAX;
	assert_true(is_greeted(&visits[1]));
}

#define TEN "0123456789"
#define CALL_WITH(meta) "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'_meta':{" meta "},'name':'stepper','arguments':{'steps':1}}}"

static void test_longest_token(void **state)
{
	(void)state;
	begin(ARENA_OF_HOST, &quash_mcp_keeps);
	greet();
	say_line(CALL_WITH("'progressToken':'" TEN TEN TEN TEN "'"));
	pass(0);
	assert_true(hears("\"progressToken\":\"" TEN TEN TEN TEN "\""));
}

/* It takes no room either: the call is served without progress. */
static void test_longer_token(void **state)
{
	(void)state;
	begin(ARENA_OF_HOST, &quash_mcp_keeps);
	greet();
	say_line(CALL_WITH("'progressToken':'" TEN TEN TEN TEN "x" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "'"));
	pass(0);
	assert_int_equal(heard_length, 0);
	assert_int_equal(started, 1);
	pass(1);
	assert_true(hears("stepped"));
	assert_int_equal(quash_counters_of(&peer)->too_large, 0);
}

/* --- Lists */

/* `text` and a blank stand next in what is expected. */
static const char *follow(const char *expected, const char *text, const char *end)
{
	const size_t n = strlen(text);
	assert_memory_equal(expected, text, n);
	assert_memory_equal(&expected[n], end, strlen(end));
	return &expected[n + strlen(end)];
}

static void keeps_of(const quash_config *c, const char *expected)
{
	const quash_keep *list;
	uint8_t count;
	for (uint8_t n = 0; (list = quash_mcp_keeps.list(c, n, &count)) != NULL; n++) {
		for (uint8_t i = 0; i < count; i++)
			expected = follow(expected, list[i].path, list[i].bare ? "{} " : " ");
	}
	assert_string_equal(expected, "");
}

#define ALWAYS "name arguments cursor protocolVersion notifications _meta>progressToken "
#define MODERN "_meta>io.modelcontextprotocol/<protocolVersion _meta>io.modelcontextprotocol/<clientCapabilities{} "

static const quash_mcp_logging logging = { { &quash_mcp_logging_kind }, 0 };
static const quash_mcp_part *const parts[] = { &logging.part, &quash_mcp_ask_part, NULL };
static const quash_keep own[] = { { "_meta>example.org/<user", 40, false } };
static const quash_mcp_server all_server = { .name = "all", .version = "1", .session = &session, .tools = tools, .tool_count = 1,
	.parts = parts, .modern = &quash_mcp_modern, .keeps = own, .keep_count = COUNT_OF(own), .token_size = TOKEN };
static const quash_method all_methods[] = { QUASH_MCP_METHODS(&all_server), QUASH_MCP_LOGGING(&all_server) };
static const quash_mcp_server old_server = { .name = "old", .version = "1", .session = &session, .token_size = TOKEN + 1 };
static const quash_method old_methods[] = { QUASH_MCP_LEGACY(&old_server) };
static const quash_method new_methods[] = { { .name = "own", .handler = stepper }, QUASH_MCP_MODERN(&server) };

static void test_lists(void **state)
{
	static const quash_method behind[] = { { .name = "own", .handler = stepper }, { .name = "own", .handler = stepper }, QUASH_MCP_METHODS(&server) };
	uint8_t count;
	quash_config c = whole;
	(void)state;
	keeps_of(&c, ALWAYS MODERN);
	assert_int_equal(quash_mcp_keeps.list(&c, 1, &count)->most, 63);
	c.methods = all_methods;
	c.method_count = COUNT_OF(all_methods);
	keeps_of(&c, ALWAYS MODERN "_meta>example.org/<user level _meta>io.modelcontextprotocol/<logLevel "
		"capabilities>experimental>quash/related{} _meta>quash/related{} "
		"capabilities>elicitation>form{} capabilities>elicitation>url{} capabilities>sampling>tools{} capabilities>roots{} "
		"capabilities>experimental>quash/related{} ");
	c.methods = old_methods;
	c.method_count = COUNT_OF(old_methods);
	keeps_of(&c, ALWAYS);
	assert_int_equal(quash_mcp_keeps.list(&c, 1, &count)->most, 255);
	c.methods = new_methods;
	c.method_count = COUNT_OF(new_methods);
	keeps_of(&c, ALWAYS MODERN);
	c.method_count = 1;
	keeps_of(&c, "name arguments cursor protocolVersion notifications ");
	c.methods = behind; /* nor does it look behind the table */
	keeps_of(&c, "name arguments cursor protocolVersion notifications ");
}

/* Before the method is known, one of the program's own in the table lets everything be kept: names are whole then. */
static void test_params_in_front(void **state)
{
	static const quash_method mixed[] = { QUASH_MCP_METHODS(&server), { .name = "own", .handler = stepper } };
	(void)state;
	for (unsigned own_too = 0; own_too < 2; own_too++) {
		begin(1024, &quash_mcp_keeps);
		config.methods = mixed;
		config.method_count = (uint8_t)(COUNT_OF(mixed) - 1 + own_too);
		assert_true(quash_init(&peer, &config, NULL));
		cut = SIZE_MAX;
		say_line("{'jsonrpc':'2.0','id':2,'params':{'_meta':{'io.modelcontextprotocol/clientCapabilities':{},'progressToken':'t',"
			 "'io.modelcontextprotocol/protocolVersion':'2026-07-28'},'name':'stepper','arguments':{'steps':1}},'method':'tools/call'}");
		pass(0);
		assert_int_equal(started, 1);
		assert_true(hears("\"progressToken\":\"t\""));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_wanted_arena),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_two_at_once),
		cmocka_unit_test(test_grown_meta),
		cmocka_unit_test(test_longest_token),
		cmocka_unit_test(test_longer_token),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_params_in_front),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
