/* SPDX-License-Identifier: MIT
 * In binary it is the time when it was made, an object of the answers as it stands on a tape, and a code. That
 * authenticates both, and which request they belong to. On the wire all of it is base64. */
#include "mcp_ticket.h"

#include "../../include/quash/mcp_resources.h"
#include "../core/state.h"
#include "../json/value.h"
#include "mcp_inner.h"

const char quash_mcp_ticket_member[13] = "requestState";
const char quash_mcp_answers_member[15] = "inputResponses";

enum { STATE_TIME = 4, STATE_CODE = 8, STATE_EMPTY = STATE_TIME + TAPE_HEAD + 1 + STATE_CODE };

/* Takes bytes. */
typedef void take_bytes(void *to, const uint8_t *bytes, size_t n);

/* --- SipHash-2-4 (J.-P. Aumasson, D. J. Bernstein, 2012) */

struct sip {
	uint64_t v[4];
	uint64_t word;
	uint32_t count;
};

static uint64_t turned(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void sip_round(struct sip *s)
{
	uint64_t *const v = s->v;
	v[0] += v[1];
	v[1] = turned(v[1], 13) ^ v[0];
	v[0] = turned(v[0], 32);
	v[2] += v[3];
	v[3] = turned(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = turned(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = turned(v[1], 17) ^ v[2];
	v[2] = turned(v[2], 32);
}

static void sip_word(struct sip *s, uint64_t word)
{
	s->v[3] ^= word;
	sip_round(s);
	sip_round(s);
	s->v[0] ^= word;
}

static uint64_t word_at(const uint8_t *bytes)
{
	uint64_t word = 0;
	for (uint_fast8_t i = 8; i > 0; i--)
		word = word << 8 | bytes[i - 1];
	return word;
}

static void sip_begin(struct sip *s, const uint8_t *key)
{
	const uint64_t a = word_at(key), b = word_at(key + 8);
	s->v[0] = a ^ 0x736f6d6570736575u;
	s->v[1] = b ^ 0x646f72616e646f6du;
	s->v[2] = a ^ 0x6c7967656e657261u;
	s->v[3] = b ^ 0x7465646279746573u;
	s->word = 0;
	s->count = 0;
}

static void sip_take(void *to, const uint8_t *bytes, size_t n)
{
	struct sip *const s = to;
	for (size_t i = 0; i < n; i++) {
		s->word |= (uint64_t)bytes[i] << 8 * (s->count & 7);
		if ((++s->count & 7) != 0)
			continue;
		sip_word(s, s->word);
		s->word = 0;
	}
}

static uint64_t sip_end(struct sip *s)
{
	sip_word(s, s->word | (uint64_t)(s->count & 0xFF) << 56);
	s->v[2] ^= 0xFF;
	for (uint_fast8_t i = 0; i < 4; i++)
		sip_round(s);
	return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

/* --- What of the request it is bound to. Each part has a length, so that none can be taken for another one's end */

static void sip_length(struct sip *s, uint32_t length)
{
	const uint8_t bytes[] = { (uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
		(uint8_t)(length >> 24) };
	sip_take(s, bytes, sizeof bytes);
}

static void sip_value(struct sip *s, quash_value value)
{
	const quash_size n = (quash_size)(value.end - value.at);
	const bool there = quash_value_kind(&value) != QUASH_NONE;
	sip_length(s, there ? n : 0);
	if (there)
		sip_take(s, value.arena + value.at, n);
}

static void sip_text(struct sip *s, const char *text)
{
	const size_t n = quash_text_length(text);
	sip_length(s, (uint32_t)n);
	sip_take(s, (const uint8_t *)text, n);
}

static void sip_request(struct sip *s, const quash_request *request)
{
	const quash_method *const method = quash_method_of(request);
	sip_text(s, method != NULL ? method->name : "");
	sip_value(s, quash_argument(request, "name"));
	sip_value(s, quash_argument(request, "uri"));
	sip_value(s, quash_mcp_arguments(request));
}

/* --- Answers */

quash_value quash_mcp_ticket_answer(const quash_request *request, const char *name)
{
	static const quash_value none = { NULL, 0, 0 };
	const quash_value earlier = quash_argument(request, quash_mcp_ticket_member);
	if (quash_value_kind(&earlier) != QUASH_OBJECT)
		return none; /* without a state nothing was asked */
	const quash_value known = quash_member(earlier, name);
	if (quash_value_kind(&known) != QUASH_NONE)
		return known;
	return quash_member(quash_argument(request, quash_mcp_answers_member), name);
}

static void take_members(take_bytes *take, void *to, quash_value object, quash_value without)
{
	quash_value cursor = { NULL, 0, 0 }, name, answer;
	while (quash_next(object, &cursor, &name, &answer)) {
		const quash_value known = quash_member(without, quash_value_chars(&name));
		if (quash_value_kind(&known) != QUASH_NONE)
			continue;
		for (quash_size i = name.at; i < answer.end; i++) /* the answer stands behind its name */
			take(to, &name.arena[i], 1);
	}
}

/* The members of an object of all of them, and its end. */
static void take_answers(take_bytes *take, void *to, const quash_request *request)
{
	static const quash_value none = { NULL, 0, 0 };
	static const uint8_t end = TAPE_END;
	const quash_value earlier = quash_argument(request, quash_mcp_ticket_member);
	if (quash_value_kind(&earlier) == QUASH_OBJECT) {
		take_members(take, to, earlier, none);
		take_members(take, to, quash_argument(request, quash_mcp_answers_member), earlier);
	}
	take(to, &end, 1);
}

static void count_bytes(void *to, const uint8_t *bytes, size_t n)
{
	uint32_t *const count = to;
	(void)bytes;
	*count += (uint32_t)n;
}

uint32_t quash_mcp_ticket_size(const quash_request *request)
{
	uint32_t size = 0;
	take_answers(count_bytes, &size, request);
	return size;
}

/* --- Putting */

static void put_base64(void *to, const uint8_t *bytes, size_t n)
{
	quash_mcp_base64_part(to, bytes, n);
}

static void put_base64_length(quash_mcp_base64 *b, uint32_t length)
{
	const uint8_t bytes[] = { (uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
		(uint8_t)(length >> 24) };
	quash_mcp_base64_part(b, bytes, sizeof bytes);
}

void quash_mcp_ticket_put(quash_writer *w, const quash_request *request, const quash_mcp_input *input)
{
	const uint32_t size = quash_mcp_ticket_size(request);
	const uint8_t head[TAPE_HEAD] = { QUASH_OBJECT, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16) };
	struct sip sip;
	quash_mcp_base64 b;
	sip_begin(&sip, input->key);
	sip_request(&sip, request);
	quash_mcp_base64_open(&b, w);
	sip_length(&sip, request->born);
	put_base64_length(&b, request->born);
	sip_take(&sip, head, sizeof head);
	put_base64(&b, head, sizeof head);
	take_answers(sip_take, &sip, request);
	take_answers(put_base64, &b, request);
	const uint64_t code = sip_end(&sip);
	put_base64_length(&b, (uint32_t)code);
	put_base64_length(&b, (uint32_t)(code >> 32));
	quash_mcp_base64_close(&b);
}

/* --- Reading: in place, since what it stands for is shorter than its text */

static uint8_t bits_of(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return (uint8_t)(c - 'A');
	if (c >= 'a' && c <= 'z')
		return (uint8_t)(c - 'a' + 26);
	if (c >= '0' && c <= '9')
		return (uint8_t)(c - '0' + 52);
	return c == '+' ? 62 : c == '/' ? 63 : 0xFF;
}

/* Returns how many bytes stand at `text` then; 0: it is no base64. */
static quash_size decode_base64(uint8_t *text, quash_size n)
{
	quash_size to = 0, from = 0;
	uint32_t bits = 0;
	if (n == 0 || n % 4 != 0)
		return 0;
	const quash_size pad = text[n - 1] != '=' ? 0 : text[n - 2] != '=' ? 1 : 2;
	for (; from < n - pad; from++) {
		const uint8_t six = bits_of(text[from]);
		if (six == 0xFF)
			return 0;
		bits = bits << 6 | six;
		if (from % 4 != 0)
			text[to++] = (uint8_t)(bits >> (6 - 2 * (from % 4)));
	}
	return to;
}

static uint32_t number_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_authentic(const quash_request *request, const quash_mcp_input *input, const uint8_t *bytes, quash_size n)
{
	struct sip sip;
	sip_begin(&sip, input->key);
	sip_request(&sip, request);
	sip_take(&sip, bytes, (size_t)(n - STATE_CODE));
	const uint64_t code = sip_end(&sip);
	const uint32_t differs = (number_at(bytes + n - STATE_CODE) ^ (uint32_t)code) |
		(number_at(bytes + n - STATE_CODE / 2) ^ (uint32_t)(code >> 32));
	return differs == 0 && request->born - number_at(bytes) <= input->lifetime;
}

/* The string's node becomes that of the object: it keeps its length, and what stands after the object's end is never
 * looked at. The last bytes there are the time. Text is at least a third longer than what it stands for, so there is
 * room. */
static void turn_into_object(uint8_t *node, quash_size size, const uint8_t *bytes, quash_size n)
{
	const uint8_t made[STATE_TIME] = { bytes[0], bytes[1], bytes[2], bytes[3] };
	const quash_size members = (quash_size)(n - STATE_TIME - TAPE_HEAD - STATE_CODE);
	node[0] = QUASH_OBJECT;
	for (quash_size i = 0; i < members; i++)
		node[TAPE_HEAD + i] = bytes[STATE_TIME + TAPE_HEAD + i];
	for (quash_size i = 0; i < STATE_TIME; i++)
		node[size - STATE_TIME + i] = made[i];
}

bool quash_mcp_ticket_time(const quash_request *request, uint32_t *made)
{
	const quash_value state = quash_argument(request, quash_mcp_ticket_member);
	if (quash_value_kind(&state) != QUASH_OBJECT || state.end - state.at < TAPE_HEAD + STATE_TIME)
		return false;
	*made = number_at(state.arena + state.end - STATE_TIME);
	return true;
}

bool quash_mcp_ticket_read(const quash_request *request, const quash_mcp_input *input)
{
	const quash_value state = quash_argument(request, quash_mcp_ticket_member);
	quash_size length = 0;
	const quash_size from = quash_value_text(&state, &length);
	if (length > (quash_size)(state.end - from))
		return false;
	uint8_t *const arena = quash_config_of(quash_peer_of(request))->arena;
	uint8_t *const bytes = arena + from;
	const quash_size n = decode_base64(bytes, length);
	if (n < STATE_EMPTY || !is_authentic(request, input, bytes, n))
		return false;
	turn_into_object(arena + state.at, (quash_size)(state.end - state.at), bytes, n);
	return true;
}
