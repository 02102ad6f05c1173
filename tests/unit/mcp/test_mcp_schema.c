/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "mcp_talk.h"
#include "quash.h"
#include "quash/mcp_schema.h"
#include "typed.h"
#include "values.h"

#include <stdio.h>

struct wish {
	uint8_t side, seat, old;
	uint32_t days, extras;
	int32_t count;
	char name[8];
};

enum { MANY = 257 };

static const quash_choice sides[] = { { "l", "Left" }, { "r", "Right" }, { NULL, NULL } };
static const quash_choice named[] = { { "a", "First" }, { "b", NULL }, { NULL, NULL } };
static const quash_choice days[] = { { "mon", NULL }, { "tue", NULL }, { "wed", NULL }, { NULL, NULL } };
static quash_choice many[MANY + 1]; /* named by what they count to */

static int set_up(void **state)
{
	static char names[MANY][4];
	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof names[i], "%u", i);
		many[i].name = names[i];
	}
	return 0;
}

static struct wish wish;

#define ONLY(param) TYPED(struct wish, param)

/* --- One of them */

static const quash_param titled[] = {
	QUASH_ARG_TITLED(struct wish, side, sides, "where to"),
	QUASH_ARG_TITLED_OR(struct wish, seat, named, 1, NULL),
	QUASH_ARG_(struct wish, old, uint8_t *, quash_param_enum_names, "as before", named, 0, 0, 0, 0, 0, false),
	QUASH_ARG_TITLED(struct wish, side, many, NULL),
	QUASH_ARG_(struct wish, old, uint8_t *, quash_param_enum_names, NULL, named, 0, 0, 1, 0, 0, true),
};
static const quash_params titled_only[] = { ONLY(titled[0]), ONLY(titled[1]), ONLY(titled[2]), ONLY(titled[3]), ONLY(titled[4]) };

static void test_one_of_them(void **state)
{
	static const char *const wrong[] = { "'L'", "''", "'Left'", "'lr'", "0", "null", "true", "['l']", "{'l':1}" };
	(void)state;
	typed_fits(&titled_only[0], "{'side':'l'}", &wish, "{'side':'l'}");
	typed_fits(&titled_only[0], "{'side':'r'}", &wish, "{'side':'r'}");
	assert_int_equal(wish.side, 1);
	assert_int_equal(wish.seat, 0xEE);
	typed_refuses_all(&titled_only[0], wrong, COUNT_OF(wrong), "'side: must be one of l, r'");
	typed_refuses_all(&titled_only[1], wrong, COUNT_OF(wrong), "'seat: must be one of a, b'");
	typed_refuses(&titled_only[0], "{}", "'side: is required'");
	typed_fits(&titled_only[1], "{}", &wish, "{'seat':'b'}");
	typed_fits(&titled_only[1], "{'seat':'a'}", &wish, "{'seat':'a'}");
	typed_fits(&titled_only[2], "{'old':'b'}", &wish, "{'old':'b'}");
	typed_refuses(&titled_only[2], "{'old':'First'}", "'old: must be one of a, b'");
}

static void test_schemas_of_one(void **state)
{
	(void)state;
	typed_schema(&titled_only[0], "'type':'string','oneOf':[{'const':'l','title':'Left'},{'const':'r','title':'Right'}],"
		"'description':'where to'", true);
	typed_schema(&titled_only[1], "'type':'string','oneOf':[{'const':'a','title':'First'},{'const':'b'}],'default':'b'", false);
	typed_schema(&titled_only[2], "'type':'string','enum':['a','b'],'enumNames':['First','b'],'description':'as before'", true);
	typed_schema(&titled_only[4], "'type':'string','enum':['a','b'],'enumNames':['First','b'],'default':'b'", false);
}

/* An index fits a byte, and that of no choice is 255. */
static void test_255_choices(void **state)
{
	char params[32];
	(void)state;
	for (unsigned i = 0; i < UINT8_MAX; i++) {
		snprintf(params, sizeof params, "{'side':'%u'}", i);
		typed_fits(&titled_only[3], params, &wish, params);
		assert_int_equal(wish.side, i);
	}
	for (unsigned i = UINT8_MAX; i < MANY; i++) {
		snprintf(params, sizeof params, "{'side':'%u'}", i);
		assert_false(quash_read_params(&titled_only[3], value_of(params), NULL, NULL));
	}
}

static void test_an_index_of_none(void **state)
{
	(void)state;
	for (unsigned i = 2; i <= UINT8_MAX; i++) {
		wish.side = (uint8_t)i;
		quash_put_struct(fresh_writer(), &titled_only[0], &wish);
		assert_string_equal(was_written(), "{'side':null}");
	}
}

static void test_wrong_tables(void **state)
{
	static const quash_param wrong[] = {
		QUASH_ARG_TITLED(struct wish, side, NULL, NULL),
		QUASH_ARG_(struct wish, side, uint8_t *, quash_param_enum_names, NULL, NULL, 0, 0, 0, 0, 0, false),
		QUASH_ARG_CHOICES(struct wish, days, NULL, 0, 1, NULL),
		QUASH_ARG_HEADER("count", NULL),
		QUASH_ARG_JSON("any", NULL, NULL),
	};
	static const quash_params wrong_only[] = { ONLY(wrong[0]), ONLY(wrong[1]), ONLY(wrong[2]), ONLY(wrong[3]), ONLY(wrong[4]) };
	static const quash_param beyond = QUASH_ARG_TITLED_OR(struct wish, seat, named, 2, NULL);
	static const quash_params beyond_only = ONLY(beyond);
	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_string_equal(typed_wrong(&wrong_only[i]), "detail");
	assert_string_equal(typed_wrong(&beyond_only), "fallback");
	for (size_t i = 0; i < COUNT_OF(titled); i++)
		assert_null(typed_wrong(&titled_only[i]));
}

/* --- Several of them */

static const quash_param several[] = {
	QUASH_ARG_CHOICES(struct wish, days, days, 1, 2, "when"),
	QUASH_ARG_CHOICES_OR(struct wish, extras, sides, 0, 2, 2, NULL),
	QUASH_ARG_CHOICES_OR(struct wish, days, days, 1, 3, 0, NULL),
	QUASH_ARG_CHOICES(struct wish, days, many, 0, 32, NULL),
};
static const quash_params several_only[] = { ONLY(several[0]), ONLY(several[1]), ONLY(several[2]), ONLY(several[3]) };

static void test_several(void **state)
{
	static const char *const wrong[] = { "[]", "['mon','tue','wed']", "['sun']", "['mon','sun']", "'mon'", "1", "null", "{'mon':1}",
		"[['mon']]", "[0]", "[null]" };
	(void)state;
	typed_fits(&several_only[0], "{'days':['mon']}", &wish, "{'days':['mon']}");
	assert_int_equal(wish.days, 1);
	assert_int_equal(wish.extras, 0xEEEEEEEE);
	typed_fits(&several_only[0], "{'days':['wed','mon']}", &wish, "{'days':['mon','wed']}");
	assert_int_equal(wish.days, 5);
	typed_fits(&several_only[0], "{'days':['tue','wed','tue','wed','tue']}", &wish, "{'days':['tue','wed']}");
	typed_refuses_all(&several_only[0], wrong, COUNT_OF(wrong), "'days: must be an array of which each is one of mon, tue, wed'");
	typed_refuses(&several_only[0], "{}", "'days: is required'");
}

/* The default is not counted. */
static void test_several_or_none(void **state)
{
	(void)state;
	typed_fits(&several_only[1], "{}", &wish, "{'extras':['r']}");
	typed_fits(&several_only[1], "{'extras':[]}", &wish, "{'extras':[]}");
	typed_fits(&several_only[1], "{'extras':['r','l']}", &wish, "{'extras':['l','r']}");
	typed_fits(&several_only[2], "{}", &wish, "{'days':[]}");
	typed_refuses(&several_only[2], "{'days':[]}", "'days: must be an array of which each is one of mon, tue, wed'");
	for (size_t i = 0; i < COUNT_OF(several); i++)
		assert_null(typed_wrong(&several_only[i]));
}

static void test_schemas_of_several(void **state)
{
	(void)state;
	typed_schema(&several_only[0], "'type':'array','minItems':1,'maxItems':2,'items':{'type':'string','enum':['mon','tue','wed']},"
		"'description':'when'", true);
	typed_schema(&several_only[1], "'type':'array','minItems':0,'maxItems':2,'items':{'anyOf':[{'const':'l','title':'Left'},"
		"{'const':'r','title':'Right'}]},'default':['r']", false);
}

/* A bit for each of 32, and no further one. */
static void test_32_bits(void **state)
{
	char all[ROOM_FOR(400)] = "{'days':[", *end = all + strlen(all), one[32];
	(void)state;
	for (unsigned i = 0; i < 32; i++) {
		snprintf(one, sizeof one, "{'days':['%u']}", i);
		typed_fits(&several_only[3], one, &wish, one);
		assert_int_equal(wish.days, (uint32_t)1 << i);
		end += sprintf(end, "%s'%u'", i > 0 ? "," : "", i);
	}
	strcpy(end, "]}");
	typed_fits(&several_only[3], all, &wish, all);
	assert_int_equal(wish.days, UINT32_MAX);
	for (unsigned i = 32; i < MANY; i++) {
		snprintf(one, sizeof one, "{'days':['0','%u']}", i);
		assert_false(quash_read_params(&several_only[3], value_of(one), NULL, NULL));
	}
}

/* --- In a field of HTTP too */

static const quash_header_param headed_count = { QUASH_ARG_INT(struct wish, count, 1, 9, "how many"), "Count" };
static const quash_header_param headed_name = { QUASH_ARG_TEXT_OR(struct wish, name, "me", NULL), "Name" };
static const quash_header_param headed_text = { QUASH_ARG_STRING("text", NULL), "Text" };
static const quash_param headed[] = {
	QUASH_ARG_HEADER("count", &headed_count),
	QUASH_ARG_HEADER_OR("name", &headed_name),
	QUASH_ARG_HEADER("text", &headed_text),
};
static const quash_params headed_only[] = { ONLY(headed[0]), ONLY(headed[1]), ONLY(headed[2]) };
static const quash_header_param headed_twice = { QUASH_ARG_HEADER("count", &headed_count), "Twice" };

static void test_headed(void **state)
{
	static const quash_param twice = QUASH_ARG_HEADER("count", &headed_twice);
	static const quash_params twice_only = ONLY(twice);
	(void)state;
	typed_fits(&headed_only[0], "{'count':9}", &wish, "{'count':9}");
	typed_refuses(&headed_only[0], "{'count':10}", "'count: must be an integer from 1 to 9'");
	typed_refuses(&headed_only[0], "{}", "'count: is required'");
	typed_fits(&headed_only[1], "{}", &wish, "{'name':'me'}");
	typed_fits(&headed_only[1], "{'name':'you'}", &wish, "{'name':'you'}");
	typed_refuses(&headed_only[1], "{'name':'12345678'}", "'name: must be a string of at most 7 bytes'");
	typed_fits(&headed_only[2], "{'text':'any'}", &wish, "{'text':null}");
	assert_false(quash_read_params(&twice_only, value_of("{'count':9}"), NULL, NULL));
	typed_schema(&headed_only[0], "'type':'integer','minimum':1,'maximum':9,'description':'how many','x-mcp-header':'Count'", true);
	typed_schema(&headed_only[1], "'type':'string','maxLength':7,'default':'me','x-mcp-header':'Name'", false);
	assert_null(typed_wrong(&headed_only[0]));
}

/* --- As JSON */

static const quash_schema_member members[] = { { "$ref", "\"#/$defs/point\"" }, { "minItems", "2" }, { NULL, NULL } };
static const quash_param as_json[] = {
	QUASH_ARG_JSON("at", members, "a point"),
	QUASH_ARG_JSON_OR("at", members, NULL),
};
static const quash_params as_json_only[] = { ONLY(as_json[0]), ONLY(as_json[1]) };

static void test_as_json(void **state)
{
	static const char *const any[] = { "[1,2]", "7", "null", "'a'", "{}" };
	char params[32];
	quash_param_error error = { &as_json[0], QUASH_PARAM_WRONG, "at" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(any); i++) {
		snprintf(params, sizeof params, "{'at':%s}", any[i]);
		typed_fits(&as_json_only[0], params, &wish, "{}");
	}
	typed_fits(&as_json_only[1], "{}", &wish, "{}");
	typed_refuses(&as_json_only[0], "{}", "'at: is required'");
	assert_true(quash_params_borrow_(&as_json_only[0]));
	typed_schema(&as_json_only[0], "'$ref':'#/$defs/point','minItems':2,'description':'a point'", true);
	typed_schema(&as_json_only[1], "'$ref':'#/$defs/point','minItems':2", false);
	quash_put_param_error_(fresh_writer(), &error);
	assert_string_equal(was_written(), "'at: must be what its schema says'");
}

/* --- Beside the properties, and extensions */

static void put_members(quash_writer *w)
{
	quash_put_key(w, "$defs");
	quash_put_raw(w, "{\"point\":{\"type\":\"array\"}}");
}

static int32_t done(quash_request *request)
{
	return quash_mcp_text(request, "done");
}

static const struct quash_mcp_closed_code member_code = { put_members };
static const quash_params point_params = QUASH_PARAMS_ONLY(as_json);
static const quash_params none_params = QUASH_NO_PARAMS(struct wish);
static const quash_mcp_tool tools[] = { { .name = "go", .args = &none_params, .call = done }, { .name = "any", .call = done } };
static quash_mcp_extensions extensions = { { &quash_mcp_extensions_kind }, "{\"com.example/gripper\":{}}" };
static const quash_mcp_part *const parts[] = { &extensions.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools,
	.tool_count = COUNT_OF(tools), .parts = parts, .modern = &quash_mcp_modern, .closed = &member_code };
static const quash_method methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(&server) };

#define COMPLETE "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'s','version':'1'}},"
#define CACHE "'ttlMs':0,'cacheScope':'public'"

static void test_members_beside_properties(void **state)
{
	(void)state;
	assert_true(quash_params_borrow_(&point_params));
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(struct wish)), LOOP_TX);
	mcp_check(REQUEST("1", "tools/list", META),
		RESULT("1", COMPLETE "'tools':[{'name':'go','inputSchema':{'type':'object','properties':{},'$defs':{'point':{'type':'array'}}}},"
			"{'name':'any','inputSchema':{'type':'object','properties':{}}}]," CACHE));
}

static void test_extensions(void **state)
{
	quash_fault fault;
	(void)state;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(struct wish)), LOOP_TX);
	mcp_check(REQUEST("1", "server/discover", META),
		RESULT("1", COMPLETE "'supportedVersions':['2026-07-28'],'capabilities':{'tools':{},'extensions':{'com.example/gripper':{}}}," CACHE));
	extensions.json = NULL;
	const bool right = quash_init(&mcp.peer, &mcp.config, &fault);
	extensions.json = "{}";
	assert_false(right);
	assert_string_equal(fault.table, "mcp_extensions");
	assert_fault(&fault, "json is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_of_them),
		cmocka_unit_test(test_schemas_of_one),
		cmocka_unit_test(test_255_choices),
		cmocka_unit_test(test_an_index_of_none),
		cmocka_unit_test(test_wrong_tables),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_several_or_none),
		cmocka_unit_test(test_schemas_of_several),
		cmocka_unit_test(test_32_bits),
		cmocka_unit_test(test_headed),
		cmocka_unit_test(test_as_json),
		cmocka_unit_test(test_members_beside_properties),
		cmocka_unit_test(test_extensions),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
