/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>

#include "gallery.h"
#include "mcp_talk.h"
#include "quash.h"

#define MODERN "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'gallery','version':'1'}}"
#define CACHE(ttl) "'ttlMs':" ttl ",'cacheScope':'public'"
#define NOTIFIED(method, params) "{'jsonrpc':'2.0','method':'notifications/" method "','params':{" params "}}\n"
#define ERROR_WITH(id, code, message, data) \
	"{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" message "','data':" data "}}\n"
#define ALL_CHANGE "{'listChanged':true}"
#define CAPABILITIES \
	"'capabilities':{'tools':" ALL_CHANGE ",'resources':{'listChanged':true,'subscribe':true},'prompts':" ALL_CHANGE \
	",'logging':{},'completions':{}}"
#define NO_INITIALIZE "No initialize. Missing _meta io.modelcontextprotocol/protocolVersion"

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

static void test_discover(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "server/discover", META),
		RESULT("1", MODERN ",'supportedVersions':['2026-07-28']," CAPABILITIES "," CACHE("1000")));
}

static void test_before_initialize(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "resources/read", "'uri':'gallery://text'"), ERROR("1", "-32602", NO_INITIALIZE));
	mcp_check(REQUEST("1", "prompts/get", "'name':'hello'"), ERROR("1", "-32602", NO_INITIALIZE));
	mcp_check(REQUEST("1", "resources/subscribe", "'uri':'gallery://text'"), ERROR("1", "-32602", NO_INITIALIZE));
	mcp_check(REQUEST("1", "logging/setLevel", "'level':'info'"), ERROR("1", "-32602", NO_INITIALIZE));
	mcp_check(REQUEST("1", "completion/complete", ""), ERROR("1", "-32602", NO_INITIALIZE));
	mcp_check(REQUEST("1", "subscriptions/listen", "'notifications':{}"), ERROR("1", "-32602", NO_INITIALIZE));
}

/* --- A part that the method table lacks, and a method without its part */

static quash_mcp_session lean_session;
static const quash_mcp_logging lean_logging = { .part = { &quash_mcp_logging_kind } };
static const quash_mcp_part *const lean_parts[] = { &lean_logging.part, NULL };
static const quash_mcp_server lean_server = {
	.name = "gallery", .version = "1", .modern = &quash_mcp_modern, .session = &lean_session, .parts = lean_parts };
static const quash_method lean_methods[] = {
	QUASH_MCP_MODERN(&lean_server), QUASH_MCP_RESOURCES(&lean_server), QUASH_MCP_PROMPTS(&lean_server) };

static void test_table_decides(void **state)
{
	(void)state;
	mcp_start(lean_methods, COUNT_OF(lean_methods), GALLERY_STATE, LOOP_TX);
	mcp_check(REQUEST("1", "server/discover", META),
		RESULT("1", MODERN ",'supportedVersions':['2026-07-28'],'capabilities':{}," CACHE("0")));
	mcp_check(REQUEST("1", "resources/list", META), ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "resources/templates/list", META), ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "resources/read", "'uri':'x'," META), ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "prompts/list", META), ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "prompts/get", "'name':'x'," META), ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "logging/setLevel", META), ERROR("1", "-32601", "Method not found"));
}

/* --- Resources */

#define RESOURCES_1 \
	"'resources':[{'uri':'gallery://text','name':'text','title':'Text','description':'A text','mimeType':'text/plain'," \
	"'size':9},{'uri':'gallery://bytes','name':'bytes','mimeType':'application/octet-stream'}," \
	"{'uri':'gallery://counts','name':'counts','mimeType':'application/json'}],'nextCursor':'3'"
#define RESOURCES_2 \
	"'resources':[{'uri':'gallery://wait','name':'wait'},{'uri':'gallery://late','name':'late'}]"
#define TEMPLATES \
	"'resourceTemplates':[{'uriTemplate':'gallery://rooms/{name}/temperature','name':'temperature'," \
	"'mimeType':'text/plain'}]"

static void test_resource_lists(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "resources/list", ""), RESULT("1", RESOURCES_1));
	mcp_check(REQUEST("1", "resources/list", "'cursor':'3'"), RESULT("1", RESOURCES_2));
	mcp_check(REQUEST("1", "resources/list", "'cursor':'2'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "resources/templates/list", ""), RESULT("1", TEMPLATES));
	mcp_check(REQUEST("1", "resources/templates/list", "'cursor':'3'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "resources/templates/list", META), RESULT("1", MODERN "," TEMPLATES "," CACHE("1000")));
}

#define READ(id, uri) REQUEST(id, "resources/read", "'uri':'" uri "'")
#define NOT_FOUND(id, code, uri) ERROR_WITH(id, code, "Resource not found", "{'uri':'" uri "'}")
#define CONTENT(uri, type, rest) "'contents':[{'uri':'" uri "','mimeType':'" type "'," rest "}]"

static void test_read(void **state)
{
	(void)state;
	mcp_check(READ("1", "gallery://text"),
		RESULT("1", CONTENT("gallery://text", "text/plain", "'text':'a \\'text\\'\\n'")));
	mcp_check(READ("1", "gallery://counts"),
		RESULT("1", CONTENT("gallery://counts", "application/json", "'text':'{\\'begun\\':0,\\'ended\\':0}'")));
	mcp_check(REQUEST("1", "resources/read", "'uri':'gallery://text'," META),
		RESULT("1", MODERN "," CACHE("500") "," CONTENT("gallery://text", "text/plain", "'text':'a \\'text\\'\\n'")));
}

/* The bytes from 0 to 255. */
#define BYTES \
	"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0" \
	"BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+A" \
	"gYKDhIWGh4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wM" \
	"HCw8TFxsfIycrLzM3Oz9DR0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w=="

static void test_read_blob(void **state)
{
	(void)state;
	mcp_check(READ("1", "gallery://bytes"),
		RESULT("1", CONTENT("gallery://bytes", "application/octet-stream", "'blob':'" BYTES "'")));
}

static void test_read_template(void **state)
{
	(void)state;
	mcp_check(READ("1", "gallery://rooms/hall/temperature"),
		RESULT("1", CONTENT("gallery://rooms/hall/temperature", "text/plain", "'text':'hall: 21'")));
	mcp_check(READ("1", "gallery://rooms/a%20%C3%a4%4x/temperature"),
		RESULT("1", CONTENT("gallery://rooms/a%20%C3%a4%4x/temperature", "text/plain", "'text':'a \xc3\xa4%4x: 21'")));
	mcp_check(READ("1", "gallery://rooms/eleven%2dlong/temperature"),
		RESULT("1", CONTENT("gallery://rooms/eleven%2dlong/temperature", "text/plain", "'text':'eleven-long: 21'")));
	mcp_check(READ("1", "gallery://rooms/twelve%2dlong!/temperature"),
		NOT_FOUND("1", "-32002", "gallery://rooms/twelve%2dlong!/temperature"));
}

static void test_read_unknown(void **state)
{
	static const char *const uris[] = { "", "gallery://", "gallery://texts", "gallery://rooms//temperature",
		"gallery://rooms/a/b/temperature", "gallery://rooms/a/temperatures", "gallery://rooms/a" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(uris); i++) {
		char request[200], answer[200];
		snprintf(request, sizeof request, READ("1", "%s"), uris[i]);
		snprintf(answer, sizeof answer, NOT_FOUND("1", "-32002", "%s"), uris[i]);
		mcp_check(request, answer);
	}
	mcp_check(READ("1", "gallery://rooms/a\\u0000/temperature"),
		NOT_FOUND("1", "-32002", "gallery://rooms/a\\u0000/temperature"));
	mcp_check(READ("1", "gallery://rooms/-/temperature"), NOT_FOUND("1", "-32002", "gallery://rooms/-/temperature"));
	mcp_check(READ("1", "gallery://rooms/a%00/temperature"),
		NOT_FOUND("1", "-32002", "gallery://rooms/a%00/temperature"));
	mcp_check(READ("1", "gallery://rooms/a-name-too-long/temperature"),
		NOT_FOUND("1", "-32002", "gallery://rooms/a-name-too-long/temperature"));
	mcp_check(REQUEST("1", "resources/read", "'uri':'nix'," META), NOT_FOUND("1", "-32602", "nix"));
	mcp_check(REQUEST("1", "resources/read", ""), ERROR("1", "-32602", "uri must be a string"));
	mcp_check(REQUEST("1", "resources/read", "'uri':7"), ERROR("1", "-32602", "uri must be a string"));
}

/* It is put in pieces: characters that stand across their ends come whole. */
static void test_read_unknown_long(void **state)
{
	static const uint16_t lengths[] = { 251, 252, 253, 254, 255, 256, 257 };
	static char uri[272], request[352], answer[384];
	(void)state;
	for (quash_size size = QUASH_TX_MIN; size <= LOOP_TX; size = (quash_size)(size * 2)) {
		start(size);
		initialize("");
		for (size_t i = 0; i < COUNT_OF(lengths); i++) {
			memset(uri, 'a', lengths[i]);
			strcpy(&uri[lengths[i]], "\xF0\x9F\x98\x80" "b\\n");
			snprintf(request, sizeof request, READ("1", "%s"), uri);
			snprintf(answer, sizeof answer, NOT_FOUND("1", "-32002", "%s"), uri);
			mcp_check(request, answer);
			snprintf(request, sizeof request, REQUEST("2", "resources/subscribe", "'uri':'%s'"), uri);
			snprintf(answer, sizeof answer, NOT_FOUND("2", "-32002", "%s"), uri);
			mcp_check(request, answer);
		}
	}
}

static void test_read_cancelled(void **state)
{
	(void)state;
	mcp_check_steps(3, READ("1", "gallery://wait"), "");
	assert_int_equal(gallery_begun, 1);
	mcp_check(CANCEL("1"), "");
	assert_int_equal(gallery_ended, 1);
	mcp_check(READ("2", "gallery://wait") "\n" CANCEL("2"), "");
	assert_int_equal(gallery_begun, 1);
	mcp_check(READ("3", "gallery://late"), ERROR("3", "-32800", "Request cancelled"));
	assert_int_equal(gallery_ended, 2);
}

#define WAITS(token) PROGRESS(token, "'progress':1,'total':2,'message':'waits'")

static void test_progress(void **state)
{
	(void)state;
	mcp_check_steps(2, REQUEST("1", "resources/read", "'uri':'gallery://wait','_meta':{'progressToken':'t'}"), WAITS("'t'"));
	mcp_check_steps(2, REQUEST("2", "prompts/get", "'name':'wait','_meta':{'progressToken':7}"), WAITS("7"));
	mcp_check(CANCEL("1") "\n" CANCEL("2"), "");
}

static void test_base64(void **state)
{
	static const struct {
		const char *bytes, *coded;
	} cases[] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" }, { "\xff\xfe\xfd", "//79" } };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (size_t cut = 0; cut <= strlen(cases[i].bytes); cut++) {
			quash_mcp_base64 b;
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

/* --- Prompts */

#define GREET(id, arguments) REQUEST(id, "prompts/get", "'name':'greet','arguments':" arguments)
#define MESSAGE(role, text) "{'role':'" role "','content':{'type':'text','text':'" text "'}}"
#define PROMPTS \
	"'prompts':[{'name':'greet','title':'Greeting','description':'Greets','arguments':[{'name':'name','description':" \
	"'who is greeted','required':true},{'name':'mood','required':false}]},{'name':'hello'},{'name':'wait'}]"

static void test_prompts(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "prompts/list", ""), RESULT("1", PROMPTS));
	mcp_check(REQUEST("1", "prompts/list", META), RESULT("1", MODERN "," PROMPTS "," CACHE("1000")));
	mcp_check(REQUEST("1", "prompts/list", "'cursor':'3'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(GREET("1", "{'name':'Ada'}"),
		RESULT("1", "'description':'Greets','messages':[" MESSAGE("user", "Ada") "," MESSAGE("assistant", "calm") "]"));
	mcp_check(GREET("1", "{'name':'Bo','mood':'glad'}," META),
		RESULT("1", MODERN ",'description':'Greets','messages':[" MESSAGE("user", "Bo") ","
		       MESSAGE("assistant", "glad") "]"));
	mcp_check(REQUEST("1", "prompts/get", "'name':'hello'"), RESULT("1", "'messages':[" MESSAGE("user", "Hello") "]"));
}

static void test_bad_prompts(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "prompts/get", "'name':'hi'"), ERROR("1", "-32602", "Unknown prompt"));
	mcp_check(REQUEST("1", "prompts/get", "'name':'hidden'"), ERROR("1", "-32602", "Unknown prompt"));
	mcp_check(REQUEST("1", "prompts/get", ""), ERROR("1", "-32602", "name must be a string"));
	mcp_check(REQUEST("1", "prompts/get", "'name':'greet'"),
		ERROR_WITH("1", "-32602", "Invalid arguments", "'name: is required'"));
	mcp_check(GREET("1", "{'name':'Ada','mood':'odd'}"),
		ERROR_WITH("1", "-32602", "Invalid arguments", "'mood: must be one of glad, gloomy, calm'"));
	mcp_check(GREET("1", "[]"), ERROR("1", "-32602", "arguments must be an object"));
}

static void test_prompt_cancelled(void **state)
{
	(void)state;
	mcp_check_steps(2, REQUEST("1", "prompts/get", "'name':'wait'"), "");
	mcp_check(CANCEL("1"), "");
	assert_int_equal(gallery_begun, 1);
	assert_int_equal(gallery_ended, 1);
}

/* --- Completion */

#define COMPLETE(id, ref, name, value) \
	REQUEST(id, "completion/complete", "'ref':{" ref "},'argument':{'name':'" name "','value':'" value "'}")
#define COMPLETED(id, values, total, more) \
	RESULT(id, "'completion':{'values':[" values "],'total':" total ",'hasMore':" more "}")
#define TO_GREET "'type':'ref/prompt','name':'greet'"
#define TO_ROOM "'type':'ref/resource','uri':'gallery://rooms/{name}/temperature'"

static void test_completion(void **state)
{
	(void)state;
	mcp_check(COMPLETE("1", TO_GREET, "name", ""), COMPLETED("1", "'Ada','Adele','Bob'", "3", "false"));
	mcp_check(COMPLETE("1", TO_GREET, "name", "Ade"), COMPLETED("1", "'Adele'", "1", "false"));
	mcp_check(COMPLETE("1", TO_GREET, "mood", "gl"), COMPLETED("1", "'glad','gloomy'", "2", "false"));
	mcp_check(COMPLETE("1", TO_GREET, "nix", ""), COMPLETED("1", "", "0", "false"));
	mcp_check(COMPLETE("1", "'type':'ref/prompt','name':'hello'", "name", ""), COMPLETED("1", "", "0", "false"));
	mcp_check(COMPLETE("1", "'type':'ref/resource','uri':'gallery://text'", "x", ""), COMPLETED("1", "", "0", "false"));
	mcp_check(COMPLETE("1", "'type':'ref/resource','uri':'gallery://text'", "name", ""), COMPLETED("1", "", "0", "false"));
	mcp_check(COMPLETE("1", TO_GREET, "name", "Adelex"), COMPLETED("1", "", "0", "false"));
	mcp_check(REQUEST("1", "completion/complete", "'ref':{" TO_GREET "},'argument':{'name':'name','value':'B'}," META),
		RESULT("1", MODERN ",'completion':{'values':['Bob'],'total':1,'hasMore':false}"));
}

static void test_many_completions(void **state)
{
	(void)state;
	mcp_send(COMPLETE("1", TO_ROOM, "name", "r"));
	loop_settle(&mcp, 2000);
	const char *const heard = loop_heard(&mcp);
	assert_non_null(strstr(heard, "\"values\":[\"r0\",\"r1\","));
	assert_non_null(strstr(heard, "\"r99\"],\"total\":150,\"hasMore\":true}"));
}

static void test_bad_completions(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "completion/complete", ""), ERROR("1", "-32602", "Unknown ref"));
	mcp_check(COMPLETE("1", "'type':'ref/prompt','name':'nix'", "name", ""), ERROR("1", "-32602", "Unknown ref"));
	mcp_check(COMPLETE("1", "'type':'ref/resource','uri':'nix'", "name", ""), ERROR("1", "-32602", "Unknown ref"));
	mcp_check(COMPLETE("1", "'type':'ref/tool','name':'greet'", "name", ""), ERROR("1", "-32602", "Unknown ref"));
	mcp_check(REQUEST("1", "completion/complete", "'ref':{" TO_GREET "},'argument':{'name':'name'}"),
		ERROR("1", "-32602", "argument must have name and value"));
	mcp_check(REQUEST("1", "completion/complete", "'ref':{" TO_GREET "},'argument':{'value':'name'}"),
		ERROR("1", "-32602", "argument must have name and value"));
	mcp_check(REQUEST("1", "completion/complete", "'ref':{" TO_GREET "},'argument':{'name':7,'value':'B'}"),
		ERROR("1", "-32602", "argument must have name and value"));
}

/* --- Logging */

#define LOGGED(level, rest) NOTIFIED("message", "'level':'" level "'," rest)
#define DETAILS LOGGED("debug", "'logger':'gallery','data':'details'")
#define WARNED LOGGED("warning", "'data':'a \\'warning\\''")
#define FAILED LOGGED("error", "'logger':'gallery','data':{'begun':0,'ended':0}")
#define FIRE LOGGED("emergency", "'data':'fire'")
#define SET_LEVEL(id, level) REQUEST(id, "logging/setLevel", "'level':" level)

static void test_levels(void **state)
{
	(void)state;
	mcp_check(CALL("1", "log", ""), FAILED TEXT("1", "logged"));
	mcp_check(SET_LEVEL("1", "'debug'"), RESULT("1", ""));
	mcp_check(CALL("1", "log", ""), DETAILS WARNED FAILED TEXT("1", "logged"));
	mcp_check(SET_LEVEL("1", "'notice'"), RESULT("1", ""));
	mcp_check(CALL("1", "log", ""), WARNED FAILED TEXT("1", "logged"));
	mcp_check(SET_LEVEL("1", "'emergency'"), RESULT("1", ""));
	mcp_check(CALL("1", "log", ""), TEXT("1", "logged"));
}

static void test_session_log(void **state)
{
	set_up(state);
	assert_false(gallery_fire(&mcp.peer));
	initialize("");
	assert_true(gallery_fire(&mcp.peer));
	assert_string_equal(loop_heard(&mcp), mcp_quoted(FIRE));
}

/* The answer waits for room, and meanwhile nothing is logged twice. */
static void test_log_without_room(void **state)
{
	(void)state;
	mcp_check(SET_LEVEL("1", "'debug'"), RESULT("1", ""));
	mcp.stalled = true;
	mcp_send(CALL("1", "log", "") "\n" CALL("2", "log", ""));
	for (int i = 0; i < 10; i++)
		loop_step(&mcp, 1);
	mcp.stalled = false;
	loop_settle(&mcp, 10);
	assert_string_equal(loop_heard(&mcp),
		mcp_quoted(DETAILS WARNED FAILED TEXT("1", "logged") TEXT("2", "logged")));
	assert_int_equal(mcp.counters.dropped, 3);
}

static void test_bad_levels(void **state)
{
	(void)state;
	mcp_check(SET_LEVEL("1", "'loud'"), ERROR("1", "-32602", "Unknown log level"));
	mcp_check(SET_LEVEL("1", "3"), ERROR("1", "-32602", "Unknown log level"));
	mcp_check(REQUEST("1", "logging/setLevel", ""), ERROR("1", "-32602", "Unknown log level"));
	mcp_check(CALL("1", "log", ""), FAILED TEXT("1", "logged"));
}

#define META_LEVEL(level) "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'," \
	"'io.modelcontextprotocol/clientCapabilities':{},'io.modelcontextprotocol/logLevel':" level "}"
#define MODERN_LOGGED(id) RESULT(id, MODERN ",'content':[{'type':'text','text':'logged'}]")

static void test_modern_levels(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "log", "", META), MODERN_LOGGED("1"));
	mcp_check(CALL_WITH("1", "log", "", META_LEVEL("'warning'")), WARNED FAILED MODERN_LOGGED("1"));
	mcp_check(CALL_WITH("1", "log", "", META_LEVEL("'loud'")),
		ERROR("1", "-32602", "_meta io.modelcontextprotocol/logLevel must be a log level"));
	mcp_check(REQUEST("1", "logging/setLevel", "'level':'debug'," META), ERROR("1", "-32601", "Method not found"));
}

/* --- Which request a message belongs to, for clients that want to know */

#define RELATED "'experimental':{'quash/related':{}}"
#define OF(id) "'_meta':{'quash/request':" id "},"
#define RELATED_LOG(id, level, rest) NOTIFIED("message", OF(id) "'level':'" level "'," rest)
#define RELATED_FAILED(id) RELATED_LOG(id, "error", "'logger':'gallery','data':{'begun':0,'ended':0}")
#define META_RELATED(value) "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'," \
	"'io.modelcontextprotocol/clientCapabilities':{},'io.modelcontextprotocol/logLevel':'error','quash/related':" value "}"

static void test_related_logs(void **state)
{
	(void)state;
	initialize(RELATED);
	mcp_check(CALL("'a\\u0000b'", "log", ""), RELATED_FAILED("'a\\u0000b'") TEXT("'a\\u0000b'", "logged"));
	assert_true(gallery_fire(&mcp.peer));
	mcp_check(CALL("-2", "log", ""), FIRE RELATED_FAILED("-2") TEXT("-2", "logged"));
	mcp_check(CALL_WITH("1", "log", "", META_LEVEL("'error'")), FAILED MODERN_LOGGED("1"));
	initialize("");
	mcp_check(CALL("2", "log", ""), FAILED TEXT("2", "logged"));
	initialize("'experimental':{'quash/related':true}");
	mcp_check(CALL("3", "log", ""), FAILED TEXT("3", "logged"));
}

static void test_related_modern_logs(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "log", "", META_RELATED("true")), RELATED_FAILED("1") MODERN_LOGGED("1"));
	mcp_check(CALL_WITH("2", "log", "", META_RELATED("false")), FAILED MODERN_LOGGED("2"));
	mcp_check(CALL_WITH("3", "log", "", META_RELATED("{'quash/related':true}")), FAILED MODERN_LOGGED("3"));
	initialize("");
	mcp_check(CALL("4", "log", ""), FAILED TEXT("4", "logged"));
	mcp_check(CALL_WITH("5", "log", "", META_RELATED("true")), RELATED_FAILED("5") MODERN_LOGGED("5"));
}

/* --- Subscriptions */

#define SUBSCRIBE(id, uri) REQUEST(id, "resources/subscribe", "'uri':'" uri "'")
#define UNSUBSCRIBE(id, uri) REQUEST(id, "resources/unsubscribe", "'uri':'" uri "'")
#define TOUCH(id, uri) CALL(id, "touch", "'uri':'" uri "'")
#define UPDATED(uri) NOTIFIED("resources/updated", "'uri':'" uri "'")

static void test_subscribe(void **state)
{
	(void)state;
	mcp_check(TOUCH("1", "gallery://text"), TEXT("1", "touched"));
	mcp_check(SUBSCRIBE("1", "gallery://text") "\n" SUBSCRIBE("2", "gallery://text"), RESULT("1", "") RESULT("2", ""));
	mcp_check(SUBSCRIBE("1", "gallery://rooms/a/temperature"), RESULT("1", ""));
	mcp_check(TOUCH("1", "gallery://text"), UPDATED("gallery://text") TEXT("1", "touched"));
	mcp_check(TOUCH("1", "gallery://rooms/a/temperature"),
		UPDATED("gallery://rooms/a/temperature") TEXT("1", "touched"));
	mcp_check(TOUCH("1", "gallery://bytes"), TEXT("1", "touched"));
	mcp_check(UNSUBSCRIBE("1", "gallery://text"), RESULT("1", ""));
	mcp_check(UNSUBSCRIBE("1", "gallery://text"), RESULT("1", ""));
	mcp_check(TOUCH("1", "gallery://text"), TEXT("1", "touched"));
}

static void test_bad_subscriptions(void **state)
{
	(void)state;
	mcp_check(SUBSCRIBE("1", "nix"), NOT_FOUND("1", "-32002", "nix"));
	mcp_check(REQUEST("1", "resources/subscribe", ""), ERROR("1", "-32602", "uri must be a string"));
	mcp_check(REQUEST("1", "resources/unsubscribe", "'uri':{}"), ERROR("1", "-32602", "uri must be a string"));
	mcp_check(SUBSCRIBE("1", "gallery://rooms/0123456789012345678901234567890123456789/temperature"),
		ERROR("1", "-32602", "uri is too long"));
	mcp_check(REQUEST("1", "resources/subscribe", "'uri':'gallery://text'," META),
		ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "subscriptions/listen", "'notifications':{}"), ERROR("1", "-32601", "Method not found"));
}

static void test_too_many_subscriptions(void **state)
{
	(void)state;
	mcp_check(SUBSCRIBE("1", "gallery://text") "\n" SUBSCRIBE("2", "gallery://bytes") "\n"
		  SUBSCRIBE("3", "gallery://counts") "\n" SUBSCRIBE("4", "gallery://wait"),
		RESULT("1", "") RESULT("2", "") RESULT("3", "") ERROR("4", "-32010", "Too many subscriptions"));
	mcp_check(UNSUBSCRIBE("5", "gallery://bytes") "\n" SUBSCRIBE("6", "gallery://wait"),
		RESULT("5", "") RESULT("6", ""));
}

/* --- Lists that change */

static void test_changed(void **state)
{
	(void)state;
	mcp_check(CALL("1", "change", ""), NOTIFIED("tools/list_changed", "") NOTIFIED("prompts/list_changed", "")
		NOTIFIED("resources/list_changed", "") TEXT("1", "changed"));
	mcp_check(REQUEST("1", "prompts/list", "'cursor':'3'"), RESULT("1", "'prompts':[{'name':'hidden'}]"));
}

static void test_changed_without_client(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "change", "", META),
		RESULT("1", MODERN ",'content':[{'type':'text','text':'changed'}]"));
}

/* Lists stand still while somebody reads one. */
static void test_lists_change_between_readings(void **state)
{
	static const char *const readings[] = { REQUEST("1", "tools/list", ""), REQUEST("1", "prompts/list", ""),
		REQUEST("1", "resources/list", ""), REQUEST("1", "resources/templates/list", ""),
		REQUEST("1", "completion/complete", "'ref':{'type':'ref/prompt','name':'greet'},'argument':{'name':'name','value':''}"),
		REQUEST("1", "server/discover", META) };
	for (size_t i = 0; i < COUNT_OF(readings); i++) {
		set_up_legacy(state);
		mcp.stalled = true;
		while (gallery_fire(&mcp.peer)) /* no room is left */
			continue;
		mcp_send(readings[i]);
		loop_step(&mcp, 1);
		assert_false(quash_mcp_may_change(&mcp.peer));
		mcp.stalled = false;
		loop_settle(&mcp, 10);
		assert_true(quash_mcp_may_change(&mcp.peer));
		(void)loop_heard(&mcp);
	}
	mcp_check_steps(2, READ("2", "gallery://wait"), "");
	assert_true(quash_mcp_may_change(&mcp.peer));
	mcp_check(CANCEL("2"), "");
}

/* What finds no room is told to the caller, for clients of both revisions. */
static void test_without_room_nothing_is_told(void **state)
{
	const quash_mcp_server *const gallery = gallery_methods[0].data;
	(void)state;
	mcp_check(SUBSCRIBE("1", "gallery://text"), RESULT("1", ""));
	assert_true(quash_mcp_updated(&mcp.peer, gallery, "gallery://text"));
	assert_true(quash_mcp_updated(&mcp.peer, gallery, "gallery://bytes"));
	assert_true(quash_mcp_changed(&mcp.peer, gallery, QUASH_MCP_TOOLS_CHANGE));
	assert_string_equal(loop_heard(&mcp), mcp_quoted(UPDATED("gallery://text") NOTIFIED("tools/list_changed", "")));
	mcp.stalled = true;
	while (gallery_fire(&mcp.peer))
		continue;
	assert_false(quash_mcp_updated(&mcp.peer, gallery, "gallery://text"));
	assert_true(quash_mcp_updated(&mcp.peer, gallery, "gallery://bytes")); /* nobody is to be told */
	assert_false(quash_mcp_changed(&mcp.peer, gallery, QUASH_MCP_TOOLS_CHANGE));
	assert_true(quash_mcp_changed(&mcp.peer, gallery, 0));
	mcp.stalled = false;
	loop_settle(&mcp, 10);
	assert_null(strstr(loop_heard(&mcp), "changed"));
}

/* --- subscriptions/listen */

#define LISTEN(id, filter) REQUEST(id, "subscriptions/listen", "'notifications':{" filter "}," META)
#define SUBSCRIPTION(id) "'_meta':{'io.modelcontextprotocol/subscriptionId':" id "}"
#define ACKNOWLEDGED(id, filter) \
	NOTIFIED("subscriptions/acknowledged", SUBSCRIPTION(id) ",'notifications':{" filter "}")
#define HUNG_UP(id) \
	RESULT(id, "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'gallery'," \
	       "'version':'1'},'io.modelcontextprotocol/subscriptionId':" id "}") NOTIFIED("cancelled", "'requestId':" id)
#define MODERN_TEXT(id, text) RESULT(id, MODERN ",'content':[{'type':'text','text':'" text "'}]")
#define MODERN_CALL(id, tool, arguments) CALL_WITH(id, tool, arguments, META)

static void test_listen(void **state)
{
	(void)state;
	mcp_check_steps(2, LISTEN("'a'", "'toolsListChanged':true,'promptsListChanged':false"),
		ACKNOWLEDGED("'a'", "'toolsListChanged':true"));
	mcp_check_steps(2, LISTEN("2", "'resourcesListChanged':true,'resourceSubscriptions':['gallery://text','nix',7]"),
		ACKNOWLEDGED("2", "'resourcesListChanged':true,'resourceSubscriptions':['gallery://text']"));
	mcp_check_steps(2, MODERN_CALL("3", "touch", "'uri':'gallery://text'"),
		NOTIFIED("resources/updated", SUBSCRIPTION("2") ",'uri':'gallery://text'") MODERN_TEXT("3", "touched"));
	mcp_check_steps(2, MODERN_CALL("4", "change", ""), NOTIFIED("tools/list_changed", SUBSCRIPTION("'a'"))
		NOTIFIED("resources/list_changed", SUBSCRIPTION("2")) MODERN_TEXT("4", "changed"));
	mcp_check_steps(2, CANCEL("2"), "");
	mcp_check_steps(2, MODERN_CALL("5", "hang_up", ""), MODERN_TEXT("5", "hung up") HUNG_UP("'a'"));
	mcp_check(MODERN_CALL("6", "touch", "'uri':'gallery://text'"), MODERN_TEXT("6", "touched"));
}

/* Several may listen to one resource. */
static void test_listens_to_the_same(void **state)
{
	const quash_mcp_server *const gallery = gallery_methods[0].data;
	(void)state;
	mcp_check_steps(2, LISTEN("1", "'resourceSubscriptions':['gallery://text']"),
		ACKNOWLEDGED("1", "'resourceSubscriptions':['gallery://text']"));
	mcp_check_steps(2, LISTEN("2", "'toolsListChanged':true,'resourceSubscriptions':['gallery://text','gallery://bytes']"),
		ACKNOWLEDGED("2", "'toolsListChanged':true,'resourceSubscriptions':['gallery://text','gallery://bytes']"));
	assert_true(quash_mcp_updated(&mcp.peer, gallery, "gallery://text"));
	assert_true(quash_mcp_updated(&mcp.peer, gallery, "gallery://bytes"));
	assert_string_equal(loop_heard(&mcp), mcp_quoted(NOTIFIED("resources/updated", SUBSCRIPTION("1") ",'uri':'gallery://text'")
		NOTIFIED("resources/updated", SUBSCRIPTION("2") ",'uri':'gallery://text'")
		NOTIFIED("resources/updated", SUBSCRIPTION("2") ",'uri':'gallery://bytes'")));
	mcp_check_steps(2, CANCEL("1"), "");
	assert_true(quash_mcp_updated(&mcp.peer, gallery, "gallery://text")); /* the other one goes on */
	assert_string_equal(loop_heard(&mcp), mcp_quoted(NOTIFIED("resources/updated", SUBSCRIPTION("2") ",'uri':'gallery://text'")));
	mcp.stalled = true;
	while (quash_mcp_updated(&mcp.peer, gallery, "gallery://text"))
		continue;
	while (quash_mcp_changed(&mcp.peer, gallery, QUASH_MCP_TOOLS_CHANGE))
		continue;
	mcp_send(CANCEL("2"));
	assert_true(quash_mcp_updated(&mcp.peer, gallery, "gallery://text")); /* it has been cancelled, and hears nothing more */
	assert_true(quash_mcp_changed(&mcp.peer, gallery, QUASH_MCP_TOOLS_CHANGE));
	mcp.stalled = false;
	loop_settle(&mcp, 10);
}

static void test_listen_ended_by_client(void **state)
{
	(void)state;
	mcp_check_steps(2, LISTEN("1", "'toolsListChanged':true,'resourceSubscriptions':['gallery://text']"),
		ACKNOWLEDGED("1", "'toolsListChanged':true,'resourceSubscriptions':['gallery://text']"));
	mcp_check(CANCEL("1") "\n" MODERN_CALL("2", "touch", "'uri':'gallery://text'") "\n" MODERN_CALL("3", "change", ""),
		MODERN_TEXT("2", "touched") MODERN_TEXT("3", "changed"));
	mcp_check(LISTEN("4", "'toolsListChanged':true") "\n" CANCEL("4"), "");
}

#define TOOLS_CHANGED(id) NOTIFIED("tools/list_changed", SUBSCRIPTION(id))

/* Whichever of them the client ends, the others go on. */
static void test_one_listen_of_several_ends(void **state)
{
	static const struct {
		const char *cancel, *told;
	} cases[] = { { CANCEL("1"), TOOLS_CHANGED("3") TOOLS_CHANGED("2") }, { CANCEL("2"), TOOLS_CHANGED("3") TOOLS_CHANGED("1") },
		{ CANCEL("3"), TOOLS_CHANGED("2") TOOLS_CHANGED("1") } };
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char expected[512];
		set_up(state);
		mcp_check_steps(2, LISTEN("1", "'toolsListChanged':true"), ACKNOWLEDGED("1", "'toolsListChanged':true"));
		mcp_check_steps(2, LISTEN("2", "'toolsListChanged':true"), ACKNOWLEDGED("2", "'toolsListChanged':true"));
		mcp_check_steps(2, LISTEN("3", "'toolsListChanged':true"), ACKNOWLEDGED("3", "'toolsListChanged':true"));
		mcp_check_steps(2, cases[i].cancel, "");
		snprintf(expected, sizeof expected, "%s" MODERN_TEXT("4", "changed"), cases[i].told);
		mcp_check_steps(2, MODERN_CALL("4", "change", ""), expected);
	}
}

static void test_listen_ended_by_shutdown(void **state)
{
	(void)state;
	mcp_check_steps(2, LISTEN("1", ""), ACKNOWLEDGED("1", ""));
	mcp_send(LISTEN("2", "'toolsListChanged':true"));
	quash_cancel_all(&mcp.peer);
	loop_settle(&mcp, 10);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(HUNG_UP("1") ERROR("2", "-32800", "Request cancelled")));
}

/* The result waits for room, and the notification after it. */
static void test_listen_ended_without_room(void **state)
{
	(void)state;
	start(512);
	mcp_check_steps(2, LISTEN("1", ""), ACKNOWLEDGED("1", ""));
	mcp_check_steps(2, LISTEN("2", ""), ACKNOWLEDGED("2", ""));
	quash_cancel_all(&mcp.peer);
	mcp.stalled = true;
	for (int i = 0; i < 5; i++)
		loop_step(&mcp, 1);
	assert_int_equal(quash_live_count(&mcp.peer), 1);
	mcp.stalled = false;
	loop_settle(&mcp, 10);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(HUNG_UP("1") HUNG_UP("2")));
}

static void test_listen_sleeps(void **state)
{
	(void)state;
	mcp_check_steps(2, LISTEN("1", ""), ACKNOWLEDGED("1", ""));
	assert_true(quash_idle_ms(&mcp.peer) > 1000000);
	assert_false(loop_step(&mcp, 1000));
	quash_gone(&mcp.peer);
	loop_settle(&mcp, 10);
	assert_string_equal(loop_heard(&mcp), "");
}

static void test_listen_room(void **state)
{
	(void)state;
	mcp_check_steps(3, LISTEN("1", "'resourceSubscriptions':['gallery://text','gallery://bytes','gallery://counts',"
		"'gallery://wait']"),
		ACKNOWLEDGED("1", "'resourceSubscriptions':['gallery://text','gallery://bytes','gallery://counts']"));
	mcp_check_steps(3, LISTEN("2", "'resourceSubscriptions':['gallery://wait']"),
		ACKNOWLEDGED("2", "'resourceSubscriptions':[]"));
	mcp_check_steps(3, CANCEL("1"), "");
	mcp_check_steps(3, LISTEN("3", "'resourceSubscriptions':['gallery://wait']"),
		ACKNOWLEDGED("3", "'resourceSubscriptions':['gallery://wait']"));
	mcp_check_steps(2, REQUEST("4", "subscriptions/listen", META),
		ERROR("4", "-32602", "notifications must be an object"));
}

static void test_listen_waits_for_room(void **state)
{
	(void)state;
	mcp.stalled = true;
	mcp_send(REQUEST("1", "prompts/list", META));
	loop_step(&mcp, 1);
	mcp_send(LISTEN("2", "'toolsListChanged':true"));
	loop_step(&mcp, 1);
	mcp.stalled = false;
	for (int i = 0; i < 20; i++)
		loop_step(&mcp, 1);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(RESULT("1", MODERN "," PROMPTS "," CACHE("1000"))
		ACKNOWLEDGED("2", "'toolsListChanged':true")));
}

/* A server without room for subscriptions tells which lists have changed, and of no resource. */
static const quash_mcp_server deaf_server = { .name = "gallery", .version = "1", .modern = &quash_mcp_modern, .session = &lean_session,
	.parts = lean_parts, .changes = QUASH_MCP_TOOLS_CHANGE };
static const quash_method deaf_methods[] = { QUASH_MCP_MODERN(&deaf_server), QUASH_MCP_TOOLS(&deaf_server), QUASH_MCP_LISTEN(&deaf_server) };

static void test_listen_without_watches(void **state)
{
	(void)state;
	mcp_start(deaf_methods, COUNT_OF(deaf_methods), GALLERY_STATE, LOOP_TX);
	mcp_check_steps(2, LISTEN("1", "'toolsListChanged':true,'resourceSubscriptions':['gallery://text']"),
		ACKNOWLEDGED("1", "'toolsListChanged':true,'resourceSubscriptions':[]"));
	assert_true(quash_mcp_updated(&mcp.peer, &deaf_server, "gallery://text"));
	assert_true(quash_mcp_changed(&mcp.peer, &deaf_server, QUASH_MCP_TOOLS_CHANGE));
	assert_string_equal(loop_heard(&mcp), mcp_quoted(NOTIFIED("tools/list_changed", SUBSCRIPTION("1"))));
	mcp_check_steps(2, CANCEL("1"), "");
	assert_true(quash_is_at_rest(&mcp.peer));
}

static void test_listen_too_long_for_tx(void **state)
{
	(void)state;
	start(QUASH_TX_MIN);
	mcp_check(LISTEN("1", "'toolsListChanged':true"), ERROR("1", "-32011", "Message too large"));
}

/* --- Asking the client */

#define ASKED(id, method, params) "{'jsonrpc':'2.0','id':" id ",'method':'" method "'" params "}\n"
#define SAMPLING(id) ASKED(id, "sampling/createMessage", ",'params':{'messages':[" \
	MESSAGE("user", "What do you see?") "],'systemPrompt':'Be brief.','maxTokens':50}")
#define ELICITATION(id) ASKED(id, "elicitation/create", ",'params':{'message':'Who are you?','requestedSchema':" \
	"{'type':'object','properties':{'name':{'type':'string','maxLength':19,'description':'your name'}," \
	"'age':{'type':'integer','minimum':0,'maximum':150,'default':0}},'required':['name']}}")
#define ANSWER(id, members) "{'jsonrpc':'2.0','id':" id ",'result':{" members "}}"

static void test_sampling(void **state)
{
	(void)state;
	initialize("'sampling':{}");
	mcp_check_steps(2, CALL("1", "sample", ""), SAMPLING("1"));
	mcp_check(ANSWER("1", "'role':'assistant','content':{'type':'text','text':'a \\'cat\\''},'model':'m'"),
		TEXT("1", "a \\'cat\\'"));
	mcp_check_steps(2, CALL("2", "sample", ""), SAMPLING("2"));
	mcp_check(ANSWER("2", "'content':[{'type':'image'},{'type':'text','text':'a dog'}]"), TEXT("2", "a dog"));
	mcp_check_steps(2, CALL("3", "sample", ""), SAMPLING("3"));
	mcp_check(ERROR("3", "-1", "User rejected"), TEXT("3", ""));
	mcp_check_steps(2, CALL("4", "sample", ""), SAMPLING("4"));
	mcp_check("{'jsonrpc':'2.0','id':4,'error':{'code':-1,'message':'no','content':{'type':'text','text':'x'}}}",
		TEXT("4", ""));
}

static void test_elicitation(void **state)
{
	(void)state;
	initialize("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "elicit", ""), ELICITATION("1"));
	mcp_check(ANSWER("1", "'action':'accept','content':{'name':'Ada','age':36}"), TEXT("1", "Ada"));
	mcp_check_steps(2, CALL("1", "elicit", ""), ELICITATION("2"));
	mcp_check(ANSWER("2", "'action':'decline'"), FAILURE("1", "no answer"));
	mcp_check_steps(2, CALL("1", "elicit", ""), ELICITATION("3"));
	mcp_check(ANSWER("3", "'action':'accept','content':{'age':36}"), FAILURE("1", "no answer"));
	mcp_check_steps(2, CALL("1", "elicit", ""), ELICITATION("4"));
	mcp_check(ANSWER("4", "'action':'cancel','content':{'name':'Ada'}"), FAILURE("1", "no answer"));
	mcp_check_steps(2, CALL("1", "elicit", ""), ELICITATION("5"));
	mcp_check("{'jsonrpc':'2.0','id':5,'error':{'code':-1,'message':'no','action':'accept','content':{'name':'Ada'}}}",
		FAILURE("1", "no answer"));
}

static void test_roots(void **state)
{
	(void)state;
	initialize("'roots':{'listChanged':true}");
	mcp_check_steps(2, CALL("1", "roots", ""), ASKED("1", "roots/list", ""));
	mcp_check(ANSWER("1", "'roots':[{'uri':'file:///a'}]"), TEXT("1", "[{\\'uri\\':\\'file:///a\\'}]"));
}

/* Whatever part of a question is in TX, the rest of it names the same request. */
static void test_related_questions(void **state)
{
	(void)state;
	for (quash_size size = QUASH_TX_MIN; size < 300; size = (quash_size)(size + STRIDE)) {
		start(size);
		initialize("'sampling':{},'elicitation':{},'roots':{}," RELATED);
		mcp_check_steps(30, CALL("'x'", "sample", ""), ASKED("1", "sampling/createMessage", ",'params':{" OF("'x'") "'messages':["
			MESSAGE("user", "What do you see?") "],'systemPrompt':'Be brief.','maxTokens':50}"));
		mcp_check(ANSWER("1", "'content':{'type':'text','text':'a cat'}"), TEXT("'x'", "a cat"));
		mcp_check_steps(30, CALL("7", "roots", ""), ASKED("2", "roots/list", ",'params':{'_meta':{'quash/request':7}}"));
		mcp_check(ANSWER("2", "'roots':[]"), TEXT("7", "[]"));
		mcp_check_steps(30, CALL("8", "elicit", ""), ASKED("3", "elicitation/create", ",'params':{" OF("8") "'message':'Who are you?',"
			"'requestedSchema':{'type':'object','properties':{'name':{'type':'string','maxLength':19,'description':'your name'},"
			"'age':{'type':'integer','minimum':0,'maximum':150,'default':0}},'required':['name']}}"));
		mcp_check(CANCEL("8"), NOTIFIED("cancelled", "'requestId':3"));
		assert_int_equal(mcp.counters.changed, 0);
	}
}

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

static void test_not_capable(void **state)
{
	(void)state;
	initialize("'elicitation':{'url':{}},'sampling':7");
	mcp_check(CALL("1", "sample", ""), FAILURE("1", "the client does not sample"));
	mcp_check(CALL("1", "elicit", ""), FAILURE("1", "the client does not ask"));
	mcp_check(CALL("1", "roots", ""), FAILURE("1", "the client has no roots"));
	assert_int_equal(mcp.counters.calls, 0);
}

static void test_modern_is_not_asked(void **state)
{
	(void)state;
	initialize("'sampling':{},'elicitation':{'form':{}}");
	mcp_check(MODERN_CALL("1", "sample", ""),
		RESULT("1", MODERN ",'isError':true,'content':[{'type':'text','text':'the client does not sample'}]"));
	mcp_check_steps(2, CALL("2", "elicit", ""), ELICITATION("1"));
}

static void test_no_calls_in_the_config(void **state)
{
	quash_fault fault;
	(void)state;
	mcp.config.calls = NULL;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_string_equal(fault.table, "config");
	assert_null(fault.name);
	assert_fault(&fault, "calls is needed and not named");
	quash_start(&mcp.peer, &mcp.config); /* it has no look */
	initialize("'sampling':{},'roots':{}");
	mcp_check(CALL("1", "sample", ""), FAILURE("1", "the client does not sample"));
	mcp_check(CALL("2", "roots", ""), FAILURE("2", "the client has no roots"));
	assert_int_equal(mcp.counters.misuses, 2);
}

static void test_cascade(void **state)
{
	(void)state;
	initialize("'sampling':{}");
	mcp_check_steps(2, CALL("7", "sample", ""), SAMPLING("1"));
	mcp_check(CANCEL("7"), NOTIFIED("cancelled", "'requestId':1"));
	mcp_check(ANSWER("1", "'content':{}") "\n" CALL("8", "log", ""), FAILED TEXT("8", "logged"));
	assert_int_equal(mcp.counters.late_responses, 1);
}

/* --- Room */

static const char *const talk[][2] = {
	{ REQUEST("2", "resources/list", ""), RESULT("2", RESOURCES_1) },
	{ READ("3", "gallery://text"), RESULT("3", CONTENT("gallery://text", "text/plain", "'text':'a \\'text\\'\\n'")) },
	{ READ("4", "gallery://rooms/hall/temperature"),
	  RESULT("4", CONTENT("gallery://rooms/hall/temperature", "text/plain", "'text':'hall: 21'")) },
	{ REQUEST("5", "prompts/list", META), RESULT("5", MODERN "," PROMPTS "," CACHE("1000")) },
	{ COMPLETE("6", TO_GREET, "name", "Ade"), COMPLETED("6", "'Adele'", "1", "false") },
	{ READ("7", "nix"), NOT_FOUND("7", "-32002", "nix") },
	{ GREET("8", "{'name':'Ada'}"),
	  RESULT("8", "'description':'Greets','messages':[" MESSAGE("user", "Ada") "," MESSAGE("assistant", "calm") "]") },
	{ SUBSCRIBE("9", "gallery://text"), RESULT("9", "") },
};

static void test_small_tx(void **state)
{
	(void)state;
	for (quash_size size = QUASH_TX_MIN; size < 300; size = (quash_size)(size + STRIDE)) {
		start(size);
		initialize("");
		for (size_t i = 0; i < COUNT_OF(talk); i++)
			mcp_check(talk[i][0], talk[i][1]);
		assert_int_equal(mcp.counters.changed, 0);
	}
}

static void test_asking_with_small_tx(void **state)
{
	(void)state;
	for (quash_size size = QUASH_TX_MIN; size < 300; size = (quash_size)(size + STRIDE)) {
		start(size);
		initialize("'elicitation':{}");
		mcp_check_steps(30, CALL("1", "elicit", ""), ELICITATION("1"));
		mcp_check(ANSWER("1", "'action':'accept','content':{'name':'Ada'}"), TEXT("1", "Ada"));
	}
}

/* --- A new client */

static void test_new_client(void **state)
{
	(void)state;
	initialize("'sampling':{}");
	mcp_check(SUBSCRIBE("1", "gallery://text") "\n" SET_LEVEL("2", "'debug'"), RESULT("1", "") RESULT("2", ""));
	mcp_check_steps(2, LISTEN("3", "'toolsListChanged':true,'resourceSubscriptions':['gallery://bytes']"),
		ACKNOWLEDGED("3", "'toolsListChanged':true,'resourceSubscriptions':['gallery://bytes']"));
	mcp_check_steps(2, READ("4", "gallery://wait"), "");
	initialize("");
	assert_int_equal(gallery_ended, 1);
	assert_int_equal(session()->client, 0);
	mcp_check(TOUCH("1", "gallery://text") "\n" TOUCH("2", "gallery://bytes"), TEXT("1", "touched") TEXT("2", "touched"));
	mcp_check(CALL("3", "log", ""),
		LOGGED("error", "'logger':'gallery','data':{'begun':1,'ended':1}") TEXT("3", "logged"));
	mcp_check(SUBSCRIBE("4", "gallery://text") "\n" SUBSCRIBE("5", "gallery://bytes") "\n"
		  SUBSCRIBE("6", "gallery://counts"), RESULT("4", "") RESULT("5", "") RESULT("6", ""));
}

/* --- Configs that are wrong, or that nobody has checked */

static void check_fault(const quash_mcp_part *part, const char *table, const char *name, const char *what)
{
	static quash_mcp_session none;
	const quash_mcp_part *const list[] = { part, NULL };
	const quash_mcp_server wrong = { .name = "s", .version = "1", .modern = &quash_mcp_modern, .session = &none, .parts = list };
	const quash_method methods[] = { QUASH_MCP_MODERN(&wrong) };
	quash_config config = mcp.config;
	quash_fault fault;
	config.methods = methods;
	config.method_count = COUNT_OF(methods);
	assert_false(quash_mcp_check(&config, &fault));
	assert_string_equal(fault.table, table);
	assert_string_equal(fault.name != NULL ? fault.name : "", name);
	assert_fault(&fault, what);
	static quash_config before;
	before = mcp.config;
	mcp.config = config;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_says_fault(&mcp, &fault);
	mcp.config = before;
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

static void test_wrong_completers(void **state)
{
	static const char *const none[] = { NULL };
	static const struct {
		quash_mcp_completer completer;
		const char *what;
	} wrong[] = {
		{ { "p", NULL, NULL, none, NULL }, "argument is missing" },
		{ { "p", "r", "x", none, NULL }, "resource stands beside what takes its place" },
		{ { NULL, NULL, "x", none, NULL }, "prompt is missing" },
		{ { "p", NULL, "x", NULL, NULL }, "values is missing" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		const quash_mcp_completion completion = { { &quash_mcp_completion_kind }, &wrong[i].completer, 1 };
		check_fault(&completion.part, "completers", i > 0 ? "x" : "", wrong[i].what);
	}
}

static void unchecked(quash_size state_size)
{
	mcp.config.state_size = state_size;
	quash_start(&mcp.peer, &mcp.config);
	mcp_check(REQUEST("1", "resources/read", "'uri':'gallery://text'," META), ERROR("1", "-32603", "Internal error"));
	mcp_check(REQUEST("1", "prompts/get", "'name':'hello'," META), ERROR("1", "-32603", "Internal error"));
	mcp_check(LISTEN("1", ""), ERROR("1", "-32603", "Internal error"));
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
		cmocka_unit_test_setup(test_discover, set_up),
		cmocka_unit_test_setup(test_before_initialize, set_up),
		cmocka_unit_test_setup(test_table_decides, set_up),
		cmocka_unit_test_setup(test_resource_lists, set_up_legacy),
		cmocka_unit_test_setup(test_read, set_up_legacy),
		cmocka_unit_test_setup(test_read_blob, set_up_legacy),
		cmocka_unit_test_setup(test_read_template, set_up_legacy),
		cmocka_unit_test_setup(test_read_unknown, set_up_legacy),
		cmocka_unit_test(test_read_unknown_long),
		cmocka_unit_test_setup(test_read_cancelled, set_up_legacy),
		cmocka_unit_test_setup(test_progress, set_up_legacy),
		cmocka_unit_test_setup(test_base64, set_up),
		cmocka_unit_test_setup(test_prompts, set_up_legacy),
		cmocka_unit_test_setup(test_bad_prompts, set_up_legacy),
		cmocka_unit_test_setup(test_prompt_cancelled, set_up_legacy),
		cmocka_unit_test_setup(test_completion, set_up_legacy),
		cmocka_unit_test_setup(test_many_completions, set_up_legacy),
		cmocka_unit_test_setup(test_bad_completions, set_up_legacy),
		cmocka_unit_test_setup(test_levels, set_up_legacy),
		cmocka_unit_test_setup(test_session_log, set_up),
		cmocka_unit_test_setup(test_log_without_room, set_up_legacy),
		cmocka_unit_test_setup(test_bad_levels, set_up_legacy),
		cmocka_unit_test_setup(test_modern_levels, set_up),
		cmocka_unit_test_setup(test_related_logs, set_up),
		cmocka_unit_test_setup(test_related_modern_logs, set_up),
		cmocka_unit_test_setup(test_subscribe, set_up_legacy),
		cmocka_unit_test_setup(test_bad_subscriptions, set_up_legacy),
		cmocka_unit_test_setup(test_too_many_subscriptions, set_up_legacy),
		cmocka_unit_test_setup(test_changed, set_up_legacy),
		cmocka_unit_test(test_lists_change_between_readings),
		cmocka_unit_test_setup(test_without_room_nothing_is_told, set_up_legacy),
		cmocka_unit_test_setup(test_changed_without_client, set_up),
		cmocka_unit_test_setup(test_listen, set_up),
		cmocka_unit_test_setup(test_listens_to_the_same, set_up),
		cmocka_unit_test_setup(test_listen_ended_by_client, set_up),
		cmocka_unit_test_setup(test_one_listen_of_several_ends, set_up),
		cmocka_unit_test_setup(test_listen_ended_by_shutdown, set_up),
		cmocka_unit_test_setup(test_listen_ended_without_room, set_up),
		cmocka_unit_test_setup(test_listen_sleeps, set_up),
		cmocka_unit_test_setup(test_listen_room, set_up),
		cmocka_unit_test_setup(test_listen_waits_for_room, set_up),
		cmocka_unit_test_setup(test_listen_without_watches, set_up),
		cmocka_unit_test_setup(test_listen_too_long_for_tx, set_up),
		cmocka_unit_test_setup(test_sampling, set_up),
		cmocka_unit_test_setup(test_elicitation, set_up),
		cmocka_unit_test_setup(test_roots, set_up),
		cmocka_unit_test_setup(test_related_questions, set_up),
		cmocka_unit_test_setup(test_capabilities, set_up),
		cmocka_unit_test_setup(test_all_that_is_needed, set_up),
		cmocka_unit_test_setup(test_what_is_asked_for, set_up),
		cmocka_unit_test_setup(test_not_capable, set_up),
		cmocka_unit_test_setup(test_modern_is_not_asked, set_up),
		cmocka_unit_test_setup(test_no_calls_in_the_config, set_up),
		cmocka_unit_test_setup(test_cascade, set_up),
		cmocka_unit_test_setup(test_small_tx, set_up),
		cmocka_unit_test_setup(test_asking_with_small_tx, set_up),
		cmocka_unit_test_setup(test_new_client, set_up),
		cmocka_unit_test_setup(test_wrong_parts, set_up),
		cmocka_unit_test_setup(test_wrong_completers, set_up),
		cmocka_unit_test_setup(test_small_state, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
