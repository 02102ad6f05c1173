/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>

#include "gallery.h"
#include "mcp_talk.h"
#include "quash.h"

#define NOTIFIED(method, params) "{'jsonrpc':'2.0','method':'notifications/" method "','params':{" params "}}\n"
#define ALL_CHANGE "{'listChanged':true}"
#define CAPABILITIES \
	"'capabilities':{'tools':" ALL_CHANGE ",'resources':{'listChanged':true,'subscribe':true},'prompts':" ALL_CHANGE \
	",'logging':{},'completions':{}}"

static void start(quash_size tx_size)
{
	gallery_reset();
	mcp_prepare(gallery_methods, GALLERY_METHODS, GALLERY_STATE, tx_size);
	mcp.config.calls = &quash_calls;
	loop_start(&mcp);
}

static void initialize(const char *capabilities)
{
	char text[256];
	snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':"
		"'2025-11-25','capabilities':{%s}}}", capabilities);
	mcp_check(text, RESULT("0", "'protocolVersion':'2025-11-25'," CAPABILITIES
			       ",'serverInfo':{'name':'gallery','version':'1'}"));
}

static int set_up(void **state)
{
	(void)state;
	start(LOOP_TX);
	return 0;
}

static int set_up_legacy(void **state)
{
	set_up(state);
	initialize("");
	return 0;
}

static void test_base64(void **state)
{
	static const struct {
		const char *bytes, *coded;
	} cases[] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" }, { "\xff\xfe\xfd", "//79" },
		{ "\377\377\377f", "////Zg==" }, { "\377\377\377fo", "////Zm8=" } };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (size_t cut = 0; cut <= strlen(cases[i].bytes); cut++) {
			quash_mcp_base64 b = { .held = { 0xFF, 0xFF, 0xFF } };
			char expected[64];
			snprintf(expected, sizeof expected,
				"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[\"%s\"]}\n", cases[i].coded);
			quash_writer *const w = quash_notify(&mcp.peer, "x");
			quash_put_array(w);
			quash_mcp_base64_open(&b, w);
			quash_mcp_base64_part(&b, cases[i].bytes, cut);
			quash_mcp_base64_part(&b, cases[i].bytes + cut, strlen(cases[i].bytes) - cut);
			quash_mcp_base64_close(&b);
			assert_true(quash_notify_send(&mcp.peer));
			assert_string_equal(loop_heard(&mcp), expected);
		}
	}
}

/* --- Subscriptions */

#define SUBSCRIBE(id, uri) REQUEST(id, "resources/subscribe", "'uri':'" uri "'")
#define UPDATED(uri) NOTIFIED("resources/updated", "'uri':'" uri "'")

/* --- Lists that change */

/* What finds no room is told to the caller, for clients of both revisions. */
static void test_without_room_nothing_is_told(void **state)
{
	const quash_mcp_server *const gallery = gallery_methods[0].data;
	(void)state;
	mcp_check(SUBSCRIBE("1", "gallery://text"), RESULT("1", ""));
	assert_int_equal(quash_mcp_updated(&mcp.peer, gallery, "gallery://text"), QUASH_MCP_SENT);
	assert_int_equal(quash_mcp_updated(&mcp.peer, gallery, "gallery://bytes"), QUASH_MCP_UNWANTED);
	assert_int_equal(quash_mcp_changed(&mcp.peer, gallery, QUASH_MCP_TOOLS_CHANGE), QUASH_MCP_SENT);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(UPDATED("gallery://text") NOTIFIED("tools/list_changed", "")));
	mcp.stalled = true;
	while (gallery_fire(&mcp.peer))
		continue;
	assert_int_equal(quash_mcp_updated(&mcp.peer, gallery, "gallery://text"), QUASH_MCP_NO_ROOM);
	assert_int_equal(quash_mcp_updated(&mcp.peer, gallery, "gallery://bytes"), QUASH_MCP_UNWANTED);
	assert_int_equal(quash_mcp_changed(&mcp.peer, gallery, QUASH_MCP_TOOLS_CHANGE), QUASH_MCP_NO_ROOM);
	assert_int_equal(quash_mcp_changed(&mcp.peer, gallery, 0), QUASH_MCP_UNWANTED);
	mcp.stalled = false;
	loop_settle(&mcp, 10);
	assert_null(strstr(loop_heard(&mcp), "changed"));
}

/* --- subscriptions/listen */

#define LISTEN(id, filter) REQUEST(id, "subscriptions/listen", "'notifications':{" filter "}," META)

/* --- Asking the client */

static quash_mcp_session *session(void)
{
	const quash_mcp_server *const server = gallery_methods[0].data;
	return server->session;
}

/* What a client has announced it can be asked. */
static void test_capabilities(void **state)
{
	static const struct {
		const char *capabilities;
		uint8_t kinds;
	} clients[] = {
		{ "'sampling':{}", QUASH_MCP_SAMPLING },
		{ "'sampling':{'tools':{}}", QUASH_MCP_SAMPLING | QUASH_MCP_SAMPLING_TOOLS },
		{ "'sampling':{'tools':true}", QUASH_MCP_SAMPLING },
		{ "'sampling':true", 0 },
		{ "'tools':{}", 0 },
		{ "'elicitation':{}", QUASH_MCP_ELICITATION },
		{ "'elicitation':{'form':{}}", QUASH_MCP_ELICITATION },
		{ "'elicitation':{'url':{}}", QUASH_MCP_ELICITATION_URL },
		{ "'elicitation':{'url':{},'form':{}}", QUASH_MCP_ELICITATION | QUASH_MCP_ELICITATION_URL },
		{ "'elicitation':[]", 0 },
		{ "'roots':{},'sampling':{}", QUASH_MCP_ROOTS | QUASH_MCP_SAMPLING },
		{ "'roots':null", 0 },
		{ "", 0 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(clients); i++) {
		initialize(clients[i].capabilities);
		assert_int_equal(session()->client, clients[i].kinds);
	}
}

/* A request that runs, of the only kind of tool that waits for the client. */
static quash_request *sampling_request(void)
{
	quash_live live = { 0 };
	mcp_send(CALL("1", "sample", ""));
	loop_step(&mcp, 1);
	assert_true(quash_next_live(&mcp.peer, &live));
	return (quash_request *)(uintptr_t)live.request;
}

static void test_all_that_is_needed(void **state)
{
	static quash_call call;
	(void)state;
	memset(&call, 0, sizeof call);
	initialize("'sampling':{}");
	quash_request *const request = sampling_request();
	assert_true(quash_mcp_can_ask(request, QUASH_MCP_SAMPLING));
	assert_false(quash_mcp_can_ask(request, QUASH_MCP_SAMPLING | QUASH_MCP_SAMPLING_TOOLS));
	assert_int_equal(quash_mcp_ask(request, &call, QUASH_MCP_SAMPLING | QUASH_MCP_ROOTS), QUASH_MCP_NOT_CAPABLE);
	assert_false(quash_call_in_use(&call));
	session()->version = NULL;
	assert_false(quash_mcp_can_ask(request, QUASH_MCP_SAMPLING));
}

static void test_what_is_asked_for(void **state)
{
	static const struct {
		uint8_t what;
		const char *method;
	} kinds[] = {
		{ QUASH_MCP_SAMPLING_TOOLS, "sampling/createMessage" },
		{ QUASH_MCP_ELICITATION_URL, "elicitation/create" },
		{ QUASH_MCP_ELICITATION | QUASH_MCP_ROOTS, "elicitation/create" },
		{ QUASH_MCP_ROOTS, "roots/list" },
	};
	static quash_call calls[COUNT_OF(kinds)];
	(void)state;
	memset(calls, 0, sizeof calls);
	initialize("'sampling':{'tools':{}},'elicitation':{'url':{},'form':{}},'roots':{}");
	quash_request *const request = sampling_request();
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		assert_int_equal(quash_mcp_ask(request, &calls[i], kinds[i].what), QUASH_DONE);
		assert_string_equal(calls[i].method, kinds[i].method);
	}
	assert_int_equal(quash_mcp_ask(request, &calls[0], QUASH_MCP_ROOTS), QUASH_DONE);
	assert_string_equal(calls[0].method, kinds[0].method);
}

static void test_no_calls_in_the_config(void **state)
{
	(void)state;
	mcp.config.calls = NULL;
	mcp_refuses("config", "", "calls is needed and not named");
	quash_start_with_(&mcp.peer, &mcp.config); /* it has no look */
	initialize("'sampling':{},'roots':{}");
	mcp_check(CALL("1", "sample", ""), FAILURE("1", "the client does not sample"));
	mcp_check(CALL("2", "roots", ""), FAILURE("2", "the client has no roots"));
	assert_int_equal(mcp.counters.misuses, 2);
}

/* --- Configs that are wrong, or that nobody has checked */

static const quash_mcp_part *only[2];
static quash_mcp_session none;
static const quash_mcp_server one_part = { .name = "s", .version = "1", .modern = &quash_mcp_modern, .session = &none, .parts = only };
static const quash_method with_resources[] = { QUASH_MCP_MODERN(&one_part), QUASH_MCP_RESOURCES(&one_part) };
static const quash_method with_prompts[] = { QUASH_MCP_MODERN(&one_part), QUASH_MCP_PROMPTS(&one_part) };
static const quash_method with_logging[] = { QUASH_MCP_MODERN(&one_part), QUASH_MCP_LOGGING(&one_part) };
static const quash_method with_completion[] = { QUASH_MCP_MODERN(&one_part), QUASH_MCP_COMPLETION(&one_part) };

/* Of a server with that part and its methods. */
static bool is_right(const quash_mcp_part *part, quash_fault *fault)
{
	only[0] = part;
	if (part->kind == &quash_mcp_resources_kind)
		MCP_USE(with_resources);
	else if (part->kind == &quash_mcp_prompts_kind)
		MCP_USE(with_prompts);
	else if (part->kind == &quash_mcp_logging_kind)
		MCP_USE(with_logging);
	else
		MCP_USE(with_completion);
	return quash_mcp_check(&mcp.config, fault);
}

static void check_fault(const quash_mcp_part *part, const char *table, const char *name, const char *what)
{
	quash_fault fault;
	assert_false(is_right(part, &fault));
	mcp_refuses(table, name, what);
}

static int32_t never(quash_request *request)
{
	(void)request;
	fail();
	return QUASH_DONE;
}

static void check_resource(quash_mcp_resource resource, const char *name, const char *what)
{
	const quash_mcp_resources resources = { { &quash_mcp_resources_kind }, &resource, NULL, 1, 0 };
	const quash_mcp_resources templates = { { &quash_mcp_resources_kind }, NULL, &resource, 0, 1 };
	check_fault(&resources.part, "resources", name, what);
	check_fault(&templates.part, "resources", name, what);
}

static void check_prompt(quash_mcp_prompt prompt, const char *table, const char *name, const char *what)
{
	const quash_mcp_prompts prompts = { { &quash_mcp_prompts_kind }, &prompt, 1 };
	check_fault(&prompts.part, table, name, what);
}

static void test_wrong_parts(void **state)
{
	static const quash_param odd_list[] = { QUASH_ARG_STRING("", NULL) };
	static const quash_params odd = QUASH_PARAMS_ONLY(odd_list);
	static const quash_params large = { NULL, MCP_STATE, 0, NULL };
	static const quash_mcp_resources no_list = { { &quash_mcp_resources_kind }, NULL, NULL, 1, 0 };
	static const quash_mcp_prompts no_prompts = { { &quash_mcp_prompts_kind }, NULL, 1 };
	static const quash_mcp_resource uris[] = { QUASH_MCP_RESOURCE("a:x", "x", NULL, never, 0),
		QUASH_MCP_RESOURCE("a:x", "y", NULL, never, 0) };
	static const quash_mcp_resources same_uris = QUASH_MCP_RESOURCE_LIST(uris);
	static const quash_mcp_prompt named[] = { QUASH_MCP_PROMPT("x", NULL, NULL, never),
		QUASH_MCP_PROMPT("x", NULL, NULL, never) };
	static const quash_mcp_prompts same_names = QUASH_MCP_PROMPT_LIST(named);
	char large_state[80];
	static const quash_mcp_logging loud = { { &quash_mcp_logging_kind }, QUASH_MCP_EMERGENCY + 1 };
	(void)state;
	snprintf(large_state, sizeof large_state, "state_size %u, needs %u", (unsigned)mcp.config.state_size,
		(unsigned)QUASH_MCP_STATE(0, MCP_STATE));
	check_fault(&no_list.part, "resources", "", "list is missing");
	check_fault(&no_prompts.part, "prompts", "", "list is missing");
	check_fault(&loud.part, "logging", "", "level has no such value");
	check_fault(&same_uris.part, "resources", "a:x", "uri stands twice");
	check_fault(&same_names.part, "prompts", "x", "name stands twice");
	check_resource((quash_mcp_resource){ .name = "x", .read = never }, "", "uri is missing");
	check_resource((quash_mcp_resource){ .uri = "a:x", .read = never }, "a:x", "name is missing");
	check_resource((quash_mcp_resource){ .uri = "a:x", .name = "x" }, "a:x", "read is missing");
	check_resource((quash_mcp_resource){ .uri = "a:x", .name = "x", .read = never, .marks = QUASH_SESSION }, "a:x", "marks do not go together");
	check_resource((quash_mcp_resource){ .uri = "a:x", .name = "x", .read = never, .state_size = MCP_STATE }, "a:x",
		large_state);
	check_prompt((quash_mcp_prompt){ .get = never }, "prompts", "", "name is missing");
	check_prompt((quash_mcp_prompt){ .name = "x" }, "prompts", "x", "get is missing");
	check_prompt((quash_mcp_prompt){ .name = "x", .get = never, .args = &odd }, "x", "", "name is no name");
	check_prompt((quash_mcp_prompt){ .name = "x", .get = never, .args = &large }, "prompts", "x", large_state);
	check_prompt((quash_mcp_prompt){ .name = "x", .get = never, .deadline = UINT32_MAX - 1 }, "prompts", "x", "deadline is too large");
}

/* It would serve nothing. Which one is missing is said by the name that stands for it. */
static void test_parts_without_their_methods(void **state)
{
	static const quash_mcp_resources resources = { { &quash_mcp_resources_kind }, NULL, NULL, 0, 0 };
	static const quash_mcp_prompts prompts = { { &quash_mcp_prompts_kind }, NULL, 0 };
	static const quash_mcp_logging logging = { { &quash_mcp_logging_kind }, 0 };
	static const quash_mcp_completion completion = { { &quash_mcp_completion_kind }, NULL, 0 };
	static const quash_mcp_part *const all[] = { &resources.part, &prompts.part, &logging.part, &completion.part };
	static const char *const missing[] = { "QUASH_MCP_RESOURCES is missing", "QUASH_MCP_PROMPTS is missing", "QUASH_MCP_LOGGING is missing",
		"QUASH_MCP_COMPLETION is missing" };
	static const quash_mcp_extensions extensions = { { &quash_mcp_extensions_kind }, "{}" };
	static const quash_method modern[] = { QUASH_MCP_MODERN(&one_part) }, legacy[] = { QUASH_MCP_LEGACY(&one_part) };
	quash_fault fault;
	(void)state;
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		assert_true(is_right(all[i], &fault));
		MCP_USE(modern);
		mcp_refuses("server", "s", missing[i]);
	}
	only[0] = &extensions.part;
	MCP_USE(legacy);
	mcp_refuses("server", "s", "QUASH_MCP_MODERN is missing");
}

/* Its motion would not end. */
static void test_calls_without_their_end(void **state)
{
	const quash_method calls[] = { QUASH_MCP_MODERN(&one_part),
		{ .name = "tools/call", .handler = quash_mcp_tools_call_, .data = &one_part, .state_size = sizeof(quash_mcp_slot),
		  .marks = QUASH_LISTED } };
	(void)state;
	only[0] = NULL;
	MCP_USE(calls);
	mcp_refuses("methods", "tools/call", "motion.end is missing, though it moves something");
}

static const quash_mcp_resources no_resources = { { &quash_mcp_resources_kind }, NULL, NULL, 0, 0 };
static const quash_mcp_prompts nobodys_prompts = { { &quash_mcp_prompts_kind }, NULL, 0 };
static quash_mcp_server serving;

/* A server with those two parts, or with none, and a method behind those that each has. */
static void refuses_with(const quash_mcp_part *const *parts, quash_method last, const char *table, const char *name, const char *what)
{
	const quash_method modern[] = { QUASH_MCP_MODERN(&serving), QUASH_MCP_TOOLS(&serving), last };
	const quash_method both[] = { QUASH_MCP_MODERN(&serving), QUASH_MCP_TOOLS(&serving), QUASH_MCP_RESOURCES(&serving),
		QUASH_MCP_PROMPTS(&serving), last };
	serving.parts = parts;
	if (parts != NULL)
		MCP_USE(both);
	else
		MCP_USE(modern);
	mcp_refuses(table, name, what);
}

/* They would answer that there is no such method. */
static void test_methods_without_their_part(void **state)
{
	static const quash_method methods[] = { QUASH_MCP_PROMPTS(&serving), QUASH_MCP_RESOURCES(&serving), QUASH_MCP_COMPLETION(&serving),
		QUASH_MCP_LOGGING(&serving), QUASH_MCP_SUBSCRIBE(&serving) };
	static const quash_mcp_part *const parts[] = { &no_resources.part, &nobodys_prompts.part, NULL };
	static const quash_method asked = QUASH_MCP_COMPLETION(&serving), heard = QUASH_MCP_LOGGING(&serving);
	(void)state;
	serving = one_part;
	for (size_t i = 0; i < COUNT_OF(methods); i++)
		refuses_with(NULL, methods[i], "methods", methods[i].name, "part is missing");
	refuses_with(parts, asked, "methods", "completion/complete", "part is missing");
	refuses_with(parts, heard, "methods", "logging/setLevel", "part is missing");
}

/* What is announced would not be served. */
static void test_what_nobody_serves(void **state)
{
	static quash_mcp_watch list[1];
	static char uris[2];
	static const quash_mcp_watches watches = { list, uris, 1, 1 };
	static const quash_mcp_tool tools[] = { { .name = "x", .call = never } };
	static const quash_method own = { .name = "own", .handler = never }, listen = QUASH_MCP_LISTEN(&serving);
	static const quash_method legacy[] = { QUASH_MCP_LEGACY(&serving), { .name = "own", .handler = never } };
	static const quash_mcp_part *const parts[] = { &no_resources.part, &nobodys_prompts.part, NULL };
	(void)state;
	serving = one_part;
	serving.parts = NULL;
	serving.watches = &watches;
	refuses_with(NULL, listen, "server", "s", "parts is missing");
	refuses_with(parts, own, "server", "s", "QUASH_MCP_SUBSCRIBE is missing");
	serving.watches = NULL;
	serving.changes = QUASH_MCP_PROMPTS_CHANGE;
	refuses_with(NULL, own, "server", "s", "parts is missing");
	serving.changes = QUASH_MCP_TOOLS_CHANGE;
	refuses_with(parts, own, "server", "s", "tools is missing");
	serving.changes = 0;
	serving.tools = tools;
	serving.tool_count = 1;
	serving.parts = NULL;
	MCP_USE(legacy);
	mcp_refuses("server", "s", "QUASH_MCP_MODERN is missing");
	serving.modern = NULL;
	MCP_USE(legacy);
	mcp_refuses("server", "s", "QUASH_MCP_TOOLS is missing");
}

/* A list that changes, and watches, belong to a part. `resources/subscribe` needs room for what it is told. */
static void test_parts_that_others_need(void **state)
{
	static const quash_mcp_part *const resources[] = { &no_resources.part, NULL }, *const prompts[] = { &nobodys_prompts.part, NULL };
	static const quash_method of_resources[] = { QUASH_MCP_MODERN(&serving), QUASH_MCP_RESOURCES(&serving), QUASH_MCP_LISTEN(&serving) };
	static const quash_method of_prompts[] = { QUASH_MCP_MODERN(&serving), QUASH_MCP_PROMPTS(&serving), QUASH_MCP_LISTEN(&serving) };
	static const quash_method subscribed[] = { QUASH_MCP_MODERN(&serving), QUASH_MCP_RESOURCES(&serving), QUASH_MCP_SUBSCRIBE(&serving) };
	(void)state;
	serving = one_part;
	serving.changes = QUASH_MCP_PROMPTS_CHANGE;
	serving.parts = resources;
	MCP_USE(of_resources);
	mcp_refuses("server", "s", "QUASH_MCP_PROMPTS is missing");
	serving.changes = QUASH_MCP_RESOURCES_CHANGE;
	serving.parts = prompts;
	MCP_USE(of_prompts);
	mcp_refuses("server", "s", "QUASH_MCP_RESOURCES is missing");
	serving.parts = resources;
	MCP_USE(subscribed);
	mcp_refuses("server", "s", "watches is missing");
}

/* What is read would not come to rest. */
static void test_parts_whose_end_is_missing(void **state)
{
	static const quash_mcp_part *const parts[] = { &no_resources.part, &nobodys_prompts.part, NULL };
	quash_method methods[] = { QUASH_MCP_MODERN(&serving), QUASH_MCP_RESOURCES(&serving), QUASH_MCP_PROMPTS(&serving) };
	static const quash_motion still;
	(void)state;
	serving = one_part;
	serving.parts = parts;
	methods[5].motion = still;
	methods[5].marks = QUASH_LISTED;
	MCP_USE(methods);
	mcp_refuses("methods", "prompts/get", "motion.end is missing, though it moves something");
	methods[3].motion = still;
	methods[3].marks = QUASH_LISTED;
	MCP_USE(methods);
	mcp_refuses("methods", "resources/read", "motion.end is missing, though it moves something");
	methods[3].name = "own";
	methods[3].handler = never;
	MCP_USE(methods);
	mcp_refuses("server", "s", "QUASH_MCP_RESOURCES is missing");
}

/* The member that is wrong of one that has these. */
static const char *wrong_of(bool prompt, bool resource, bool argument, bool values, bool suggests)
{
	if (!argument)
		return "argument";
	if (prompt == resource)
		return prompt ? "resource" : "prompt";
	return values != suggests ? NULL : values ? "suggest" : "values";
}

static const char *suggest(const quash_request *request, quash_value typed, quash_value arguments, uint16_t index)
{
	(void)request;
	(void)typed;
	(void)arguments;
	(void)index;
	return NULL;
}

static void test_each_completer(void **state)
{
	static const char *const values[] = { NULL };
	static const quash_mcp_completion no_list = { { &quash_mcp_completion_kind }, NULL, 1 }, empty = { { &quash_mcp_completion_kind }, NULL, 0 };
	quash_fault fault;
	(void)state;
	for (unsigned set = 0; set < 32; set++) {
		const quash_mcp_completer list[] = { { "p", NULL, "x", values, NULL }, { set & 1 ? "p" : NULL, set & 2 ? "r" : NULL, set & 4 ? "x" : NULL,
			set & 8 ? values : NULL, set & 16 ? suggest : NULL } };
		const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(list);
		const char *const wrong = wrong_of(list[1].prompt, list[1].resource, list[1].argument, list[1].values, list[1].suggest);
		assert_true(is_right(&completion.part, &fault) == (wrong == NULL));
		if (wrong == NULL)
			continue;
		assert_string_equal(fault.table, "completers");
		assert_string_equal(fault.member, wrong);
		assert_int_equal(fault.index, 1);
	}
	check_fault(&no_list.part, "completers", "", "list is missing");
	assert_true(is_right(&empty.part, &fault));
}

static const char *suggest_for_ever(const quash_request *request, quash_value typed, quash_value arguments, uint16_t index)
{
	(void)request, (void)typed, (void)arguments, (void)index;
	return "v";
}

static void test_suggestions_without_end(void **state)
{
	static const quash_mcp_completer list[] = { { "p", NULL, "x", NULL, suggest_for_ever } };
	static const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(list);
	static const quash_mcp_prompt prompt[] = { QUASH_MCP_PROMPT("p", NULL, NULL, never) };
	static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt);
	static const quash_mcp_part *const parts[] = { &completion.part, &prompts.part, NULL };
	static const quash_mcp_server server = { .name = "s", .version = "1", .modern = &quash_mcp_modern, .session = &none, .parts = parts };
	static const quash_method methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_PROMPTS(&server), QUASH_MCP_COMPLETION(&server) };
	(void)state;
	MCP_USE(methods);
	loop_start(&mcp);
	mcp_send(REQUEST("1", "completion/complete", "'ref':{'type':'ref/prompt','name':'p'},'argument':{'name':'x','value':''}," META));
	loop_settle(&mcp, 9);
	assert_non_null(strstr(loop_heard(&mcp), "\"total\":65535"));
}

static void unchecked(quash_size state_size)
{
	mcp.config.state_size = state_size;
	quash_start_with_(&mcp.peer, &mcp.config);
	mcp_check(REQUEST("1", "resources/read", "'uri':'gallery://text'," META), ERROR("1", "-32603", "Internal error"));
	mcp_check(REQUEST("1", "prompts/get", "'name':'hello'," META), ERROR("1", "-32603", "Internal error"));
	mcp_check(LISTEN("1", ""), ERROR("1", "-32603", "Internal error"));
	mcp.config.reasons = &quash_reasons;
	mcp_send(REQUEST("1", "prompts/get", "'name':'hello'," META));
	loop_settle(&mcp, 9);
	const char *const heard = loop_heard(&mcp);
	assert_non_null(strstr(heard, "state_size is too small"));
	assert_null(strstr(heard, "needs")); /* how much is not known there */
	mcp.config.reasons = NULL;
}

static void test_small_state(void **state)
{
	(void)state;
	unchecked(sizeof(quash_mcp_slot));
	unchecked(8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_base64, set_up),
		cmocka_unit_test_setup(test_without_room_nothing_is_told, set_up_legacy),
		cmocka_unit_test_setup(test_capabilities, set_up),
		cmocka_unit_test_setup(test_all_that_is_needed, set_up),
		cmocka_unit_test_setup(test_what_is_asked_for, set_up),
		cmocka_unit_test_setup(test_no_calls_in_the_config, set_up),
		cmocka_unit_test_setup(test_wrong_parts, set_up),
		cmocka_unit_test_setup(test_each_completer, set_up),
		cmocka_unit_test_setup(test_parts_without_their_methods, set_up),
		cmocka_unit_test_setup(test_calls_without_their_end, set_up),
		cmocka_unit_test_setup(test_methods_without_their_part, set_up),
		cmocka_unit_test_setup(test_what_nobody_serves, set_up),
		cmocka_unit_test_setup(test_parts_that_others_need, set_up),
		cmocka_unit_test_setup(test_parts_whose_end_is_missing, set_up),
		cmocka_unit_test_setup(test_suggestions_without_end, set_up),
		cmocka_unit_test_setup(test_small_state, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
