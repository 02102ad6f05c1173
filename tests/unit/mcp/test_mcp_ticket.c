/* SPDX-License-Identifier: MIT
 * The state that a client carries, byte for byte, against another SipHash-2-4, which agrees with the published vectors. */
#include "unit.h"

#include <stdio.h>

#include "json/tape.h"
#include "mcp_talk.h"
#include "quash.h"
#include "quash/mcp_input.h"
#include "values.h"

/* --- SipHash-2-4 */

static const uint8_t key[QUASH_MCP_KEY] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static void mix(uint64_t v[4], unsigned rounds)
{
	static const uint8_t halves[2][4] = { { 0, 1, 2, 3 }, { 2, 1, 0, 3 } }, bits[2][2] = { { 13, 16 }, { 17, 21 } };
	for (unsigned half = 0; half < 2 * rounds; half++) {
		const uint8_t *const at = halves[half % 2], *const turn = bits[half % 2];
		v[at[0]] += v[at[1]];
		v[at[1]] = (v[at[1]] << turn[0] | v[at[1]] >> (64 - turn[0])) ^ v[at[0]];
		v[at[0]] = v[at[0]] << 32 | v[at[0]] >> 32;
		v[at[2]] += v[at[3]];
		v[at[3]] = (v[at[3]] << turn[1] | v[at[3]] >> (64 - turn[1])) ^ v[at[2]];
	}
}

static uint64_t hash(const uint8_t *bytes, size_t n)
{
	static const uint64_t low = 0x0706050403020100, high = 0x0F0E0D0C0B0A0908;
	uint64_t v[4] = { low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D, low ^ 0x6C7967656E657261, high ^ 0x7465646279746573 };
	for (size_t at = 0; at <= n; at += 8) {
		uint64_t word = at + 8 > n ? (uint64_t)n << 56 : 0;
		for (size_t i = 0; i < 8 && at + i < n; i++)
			word |= (uint64_t)bytes[at + i] << 8 * i;
		v[3] ^= word;
		mix(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xFF;
	mix(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Of the first bytes of 00 01 02 ... with the key 00 ... 0F. */
static void test_vectors(void **state)
{
	static const uint64_t vectors[] = { 0x726FDB47DD0E0E31, 0x74F839C593DC67FD, 0x0D6C8009D9A94F5A, 0x85676696D7FB7E2D,
		0xCF2794E0277187B7, 0x18765564CD99A68D, 0xCBC9466E58FEE3CE, 0xAB0200F58B01D137, 0x93F5F5799A932462, 0x9E0082DF0BA9E4B0,
		0x7A5DBBC594DDB9F3, 0xF4B32F46226BADA7, 0x751E8FBC860EE5FB, 0x14EA5627C0843D90, 0xF723CA908E7AF2EE, 0xA129CA6149BE45E5 };
	uint8_t bytes[63];
	(void)state;
	for (uint8_t i = 0; i < sizeof bytes; i++)
		bytes[i] = i;
	for (size_t n = 0; n < COUNT_OF(vectors); n++)
		assert_true(hash(bytes, n) == vectors[n]);
	assert_true(hash(bytes, sizeof bytes) == 0x958A324CEB064572);
}

/* --- The server: each target asks twice */

struct asks {
	quash_call first, second;
};

static bool is_answered(quash_request *request)
{
	struct asks *const s = QUASH_TOOL(struct asks, request);
	return quash_mcp_ask(request, &s->first, QUASH_MCP_ROOTS) == QUASH_DONE && quash_call_has_ended(&s->first) &&
		quash_mcp_ask(request, &s->second, QUASH_MCP_ROOTS) == QUASH_DONE && quash_call_has_ended(&s->second);
}

static int32_t call(quash_request *request)
{
	return is_answered(request) ? quash_mcp_text(request, "done") : QUASH_PENDING;
}

static int32_t get(quash_request *request)
{
	return is_answered(request) ? quash_mcp_prompt_text(request, "done") : QUASH_PENDING;
}

static int32_t read(quash_request *request)
{
	return is_answered(request) ? quash_mcp_read_text(request, "done") : QUASH_PENDING;
}

static const quash_param list[] = { QUASH_ARG_STRING_OR("text", NULL) };
static const quash_params params = QUASH_PARAMS(struct asks, list);
static const quash_mcp_tool tools[] = { { .name = "ask", .description = "asks", .args = &params, .call = call } };
static const quash_mcp_prompt prompt_list[] = { QUASH_MCP_PROMPT("ask", "asks", &params, get) };
static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);
static const quash_mcp_resource resource_list[] = { QUASH_MCP_RESOURCE("u:ask", "ask", NULL, read, sizeof(struct asks)) };
static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LIST(resource_list);
enum { LIFETIME = 5000 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, LIFETIME, 400);
static const quash_mcp_part *const parts[] = { &input.part, &prompts.part, &resources.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools,
	.tool_count = COUNT_OF(tools), .parts = parts, .modern = &quash_mcp_modern, .token_size = 7 };
static const quash_method methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(&server), QUASH_MCP_PROMPTS(&server),
	QUASH_MCP_RESOURCES(&server) };

static int set_up(void **state)
{
	(void)state;
	mcp_prepare(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(struct asks)), LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	loop_start(&mcp);
	return 0;
}

/* --- What a state must be */

/* A request: its method, and as JSON its name, URI and arguments, or NULL. */
struct asked {
	const char *method, *name, *uri, *arguments;
};

struct bytes {
	uint8_t at[1024];
	size_t n;
};

static void add(struct bytes *b, const void *bytes, size_t n)
{
	assert_room(b->n + n <= sizeof b->at);
	memcpy(b->at + b->n, bytes, n);
	b->n += n;
}

static void add_number(struct bytes *b, uint64_t number, size_t n)
{
	for (; n > 0; n--, number >>= 8)
		add(b, &(uint8_t){ (uint8_t)number }, 1);
}

static void add_tape(struct bytes *b, const char *json)
{
	const quash_value value = value_of(json);
	add(b, value.arena + value.at, (size_t)(value.end - value.at));
}

/* With its length in front of it; NULL is none. */
static void add_value(struct bytes *b, const char *json)
{
	static struct bytes tape;
	tape.n = 0;
	if (json != NULL)
		add_tape(&tape, json);
	add_number(b, tape.n, 4);
	add(b, tape.at, tape.n);
}

/* Adds the code of what stands there. */
static void sign(struct bytes *b, const struct asked *asked)
{
	static struct bytes all;
	all.n = 0;
	add_number(&all, strlen(asked->method), 4);
	add(&all, asked->method, strlen(asked->method));
	add_value(&all, asked->name);
	add_value(&all, asked->uri);
	add_value(&all, asked->arguments);
	add(&all, b->at, b->n);
	add_number(b, hash(all.at, all.n), 8);
}

/* Good until the call after the next. */
static const char *base64(const struct bytes *b)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	static char texts[2][sizeof b->at / 3 * 4 + 5];
	static unsigned turn;
	char *const text = texts[turn++ % 2], *to = text;
	for (size_t at = 0; at < b->n; at += 3) {
		uint32_t word = 0;
		for (size_t i = 0; i < 3; i++)
			word = word << 8 | (at + i < b->n ? b->at[at + i] : 0);
		for (size_t i = 0; i < 4; i++)
			*to++ = at + i > b->n ? '=' : digits[word >> (18 - 6 * i) & 63];
	}
	*to = '\0';
	return text;
}

/* The state of a request that was made then and has these answers. */
static const char *state_of(const struct asked *asked, uint32_t made, const char *answers)
{
	static struct bytes b;
	b.n = 0;
	add_number(&b, made, 4);
	add_tape(&b, answers);
	sign(&b, asked);
	return base64(&b);
}

/* --- Asking */

#define MAY_ASK "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{'roots':{}}}"
#define ROOTS "{'roots':[]}"

/* What is answered, if the request comes with that state and these answers. */
static const char *answer_to(const struct asked *asked, const char *carried, const char *answers)
{
	static char text[ROOM_FOR(2048)];
	int n = snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':1,'method':'%s','params':{" MAY_ASK, asked->method);
	const char *const members[][2] = { { "name", asked->name }, { "uri", asked->uri }, { "arguments", asked->arguments },
		{ "inputResponses", answers } };
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		if (members[i][1] != NULL)
			n += snprintf(text + n, sizeof text - (size_t)n, ",'%s':%s", members[i][0], members[i][1]);
	}
	if (carried != NULL)
		n += snprintf(text + n, sizeof text - (size_t)n, ",'requestState':'%s'", carried);
	assert_room((size_t)n + 3 < sizeof text);
	strcpy(text + n, "}}");
	mcp_send(text);
	loop_settle(&mcp, 20);
	return loop_heard(&mcp);
}

static void check_state(const char *heard, const char *expected)
{
	static const char before[] = "\"requestState\":\"";
	const char *const at = strstr(heard, before);
	assert_non_null(at);
	assert_memory_equal(at + sizeof before - 1, expected, strlen(expected));
	assert_string_equal(at + sizeof before - 1 + strlen(expected), "\"}}\n");
}

#define ANSWERED(heard) assert_non_null(strstr((heard), "\"done\""))
#define WRONG ERROR("1", "-32602", "requestState is wrong, or of another request, or has expired")

static void check_wrong(const struct asked *asked, const char *carried)
{
	const char *const heard = answer_to(asked, carried, "{'q1':" ROOTS ",'q2':" ROOTS "}");
	assert_string_equal(heard, mcp_quoted(WRONG));
}

static const struct asked kinds[] = {
	{ "tools/call", "'ask'", NULL, "{'text':'a'}" },
	{ "tools/call", "'ask'", NULL, "{}" },
	{ "tools/call", "'ask'", NULL, NULL },
	{ "tools/call", "'ask'", "'u:any'", NULL },
	{ "prompts/get", "'ask'", NULL, "{'text':'\\u0000'}" },
	{ "resources/read", NULL, "'u:ask'", NULL },
	{ "resources/read", "[1]", "'u:ask'", "7" },
};

/* Two rounds, and the end. */
static void test_each_kind_of_request(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		const struct asked *const asked = &kinds[i];
		const uint32_t begun = mcp.now;
		check_state(answer_to(asked, NULL, NULL), state_of(asked, begun, "{}"));
		const uint32_t again = mcp.now;
		check_state(answer_to(asked, state_of(asked, begun, "{}"), "{'q1':" ROOTS "}"), state_of(asked, again, "{'q1':" ROOTS "}"));
		ANSWERED(answer_to(asked, state_of(asked, again, "{'q1':" ROOTS "}"), "{'q2':" ROOTS "}"));
	}
}

static void test_of_another_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		for (size_t other = 0; other < COUNT_OF(kinds); other++) {
			if (other != i)
				check_wrong(&kinds[i], state_of(&kinds[other], mcp.now, "{}"));
		}
	}
}

/* What was answered in an earlier round stays; what nobody has asked is carried too. */
static void test_answers_again(void **state)
{
	const struct asked *const asked = &kinds[0];
	(void)state;
	const uint32_t now = mcp.now;
	check_state(answer_to(asked, state_of(asked, now, "{'q1':" ROOTS "}"), "{'q1':7,'any':8}"),
		state_of(asked, now, "{'q1':" ROOTS ",'any':8}"));
	const uint32_t later = mcp.now;
	check_state(answer_to(asked, NULL, "{'q1':" ROOTS "}"), state_of(asked, later, "{}"));
}

/* However many bytes are hashed. */
static void test_each_length(void **state)
{
	static char sevens[300];
	char arguments[400];
	struct asked asked = { "tools/call", "'ask'", NULL, arguments };
	(void)state;
	memset(sevens, '7', sizeof sevens - 1);
	for (int n = 0; n < 300; n += STRIDE) {
		snprintf(arguments, sizeof arguments, "{'text':'%.*s'}", n, sevens);
		const uint32_t begun = mcp.now;
		check_state(answer_to(&asked, NULL, NULL), state_of(&asked, begun, "{}"));
		ANSWERED(answer_to(&asked, state_of(&asked, begun, "{'q1':" ROOTS "}"), "{'q2':" ROOTS "}"));
	}
}

/* However its base64 ends. */
static void test_each_length_of_answers(void **state)
{
	const struct asked *const asked = &kinds[0];
	static char letters[300];
	char answers[400];
	(void)state;
	memset(letters, 'a', sizeof letters - 1);
	for (int n = 0; n < 260; n += n == 30 ? 200 : 1) {
		snprintf(answers, sizeof answers, "{'q1':{'roots':'%.*s'}}", n, letters);
		const uint32_t begun = mcp.now;
		check_state(answer_to(asked, state_of(asked, begun, "{}"), answers), state_of(asked, begun, answers));
		ANSWERED(answer_to(asked, state_of(asked, begun, answers), "{'q2':" ROOTS "}"));
	}
}

/* --- Times */

static void pass(uint32_t ms)
{
	loop_step(&mcp, ms);
}

static void test_lifetime(void **state)
{
	static const uint32_t times[] = { LIFETIME, 0x01020304, 0xFFFFFFFF, 0, 1, LIFETIME - 1, LIFETIME };
	const struct asked *const asked = &kinds[0];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		pass(times[i] - mcp.now);
		check_state(answer_to(asked, NULL, NULL), state_of(asked, times[i], "{}"));
		pass(1000);
		ANSWERED(answer_to(asked, state_of(asked, mcp.now, "{'q1':" ROOTS "}"), "{'q2':" ROOTS "}"));
		ANSWERED(answer_to(asked, state_of(asked, mcp.now - LIFETIME, "{'q1':" ROOTS "}"), "{'q2':" ROOTS "}"));
		check_wrong(asked, state_of(asked, mcp.now - LIFETIME - 1, "{}"));
		check_wrong(asked, state_of(asked, mcp.now + 1, "{}"));
		check_wrong(asked, state_of(asked, mcp.now + 0x80000000, "{}"));
	}
}

/* --- What is no state */

static void test_too_short(void **state)
{
	static struct bytes b;
	(void)state;
	for (size_t n = 0; n <= 8; n++) {
		b.n = 0;
		add_number(&b, mcp.now, n);
		sign(&b, &kinds[0]);
		check_wrong(&kinds[0], base64(&b));
		b.n = n;
		check_wrong(&kinds[0], base64(&b));
	}
}

static void test_no_base64(void **state)
{
	char text[128];
	const char *const good = state_of(&kinds[0], (mcp.now & ~UINT32_C(0xFF)) - 8, "{}");
	const size_t n = strlen(good);
	(void)state;
	assert_int_equal(good[0], '+'); /* all its bits but one are set, as in what stands for no character */
	assert_int_equal(n % 4, 0);
	for (size_t length = 0; length < n; length++) {
		snprintf(text, sizeof text, "%.*s", (int)length, good);
		check_wrong(&kinds[0], text);
	}
	for (int c = ' '; c < 0x7F; c++) {
		if (strchr("\"\\'", c) != NULL || strchr("+/", c) != NULL || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
			continue;
		snprintf(text, sizeof text, "%c%s", c, good + 1);
		check_wrong(&kinds[0], text);
		snprintf(text, sizeof text, "%s%c===", good, c);
		check_wrong(&kinds[0], text);
	}
}

static void test_each_byte_counts(void **state)
{
	char text[128];
	const char *const good = state_of(&kinds[0], mcp.now, "{'q1':" ROOTS "}");
	(void)state;
	for (size_t i = 0; good[i] != '\0' && good[i + 1] != '='; i++) { /* of the last letter before = some bits count for nothing */
		strcpy(text, good);
		text[i] = good[i] == 'A' ? 'B' : 'A';
		check_wrong(&kinds[0], text);
	}
	ANSWERED(answer_to(&kinds[0], good, "{'q2':" ROOTS "}"));
}

/* --- Configs that are wrong */

static void check_fault(const quash_mcp_part *const *list_of_parts, const char *table, const char *name, const char *what)
{
	const quash_mcp_server wrong = { .name = "s", .version = "1", .session = &session, .parts = list_of_parts, .modern = &quash_mcp_modern };
	const quash_method wrong_methods[] = { QUASH_MCP_MODERN(&wrong) };
	MCP_USE(wrong_methods);
	mcp_refuses(table, name, what);
}

static void test_wrong_configs(void **state)
{
	static const uint8_t nothing[QUASH_MCP_KEY];
	static const quash_mcp_input keyless = QUASH_MCP_INPUT(nothing, LIFETIME, 400);
	static const quash_mcp_part *const no_key[] = { &keyless.part, NULL }, *const two_ways[] = { &input.part, &quash_mcp_ask_part, NULL };
	(void)state;
	check_fault(no_key, "mcp_input", "", "key is missing");
	check_fault(two_ways, "server", "s", "parts is missing");
	mcp.config.calls = &quash_calls;
	check_fault(parts, "config", "", "calls is needed and not named");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test_setup(test_each_kind_of_request, set_up),
		cmocka_unit_test_setup(test_of_another_kind, set_up),
		cmocka_unit_test_setup(test_answers_again, set_up),
		cmocka_unit_test_setup(test_each_length, set_up),
		cmocka_unit_test_setup(test_each_length_of_answers, set_up),
		cmocka_unit_test_setup(test_lifetime, set_up),
		cmocka_unit_test_setup(test_too_short, set_up),
		cmocka_unit_test_setup(test_no_base64, set_up),
		cmocka_unit_test_setup(test_each_byte_counts, set_up),
		cmocka_unit_test_setup(test_wrong_configs, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
