/* SPDX-License-Identifier: MIT
 * Questions in both eras of MCP: with this part in place of `quash_mcp_ask_part`, `quash_mcp_ask` serves modern
 * requests too.
 *
 * 2026-07-28 knows no requests from a server (basic/patterns/mrtr). A request that needs to ask ends. Its result is
 * `input_required` and holds the questions. The client gathers the answers and sends the request anew. With them it
 * sends a state, which it carries for the server. It can read the state but not change it: it is base64. The handler is
 * the same in both eras, that of mcp_ask.h:
 *
 *     static uint8_t key[QUASH_MCP_KEY]; // drawn before quash_init
 *     static const quash_mcp_input input = QUASH_MCP_INPUT(key, 120000, 256);
 *     static const quash_mcp_part *const parts[] = { &input.part, NULL };
 *     static const quash_config config = { ..., .calls = &quash_mcp_calls };
 *
 * In the modern era each answer comes with another request, and the handler runs from its beginning again. **What
 * stands before the last question is done again**. So a tool asks before it acts. Questions that it asks before it
 * returns QUASH_PENDING leave together. One that it asks after an answer is a further round. They are known by their
 * names (QUASH_MCP_NAMED), or by their order. Then it must be the same each time. The first one is asked in the first
 * call of the handler. Later the params may be gone, unless its table has a QUASH_ARG_STRING. The `done` of the calls
 * does not run.
 *
 * The state holds the answers of earlier rounds. It is authenticated with the key. It is of one request: method, name
 * or URI, and arguments. It expires. Until then it can be used more than once. What must not be done twice needs a
 * count of the program's own, as mcp_confirm.h has it. A state that is wrong is refused (-32602). Answers without one
 * are ignored, and asked for.
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_INPUT_H
#define QUASH_MCP_INPUT_H

#include "mcp_ask.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { QUASH_MCP_KEY = 16 };

/** A mark of a quash_call that asks: `context` is a constant text, the question's name among those of its request. It
 * has to be another one for each. Without, a question is called by its number, `q1`. */
enum { QUASH_MCP_NAMED = 1 << 1 };

/** The part. Constant, may live in flash. */
typedef struct quash_mcp_input {
	quash_mcp_part part;
	/** QUASH_MCP_KEY bytes, borrowed. They are drawn at random before `quash_init`, at each start of the program, and
	 * kept secret. Zeroes are a fault. With another key states of before are refused. The clock comes round after 49
	 * days, and with it old states are good again: another key is drawn within that time */
	const uint8_t *key;
	uint32_t lifetime; /**< milliseconds for which a state is good, 1 to 2^31 - 1: what a person needs to answer */
	/** Bytes of answers of earlier rounds, as they stand in the arena: with more it is `Message too large`. A client
	 * sends a third more than that in one string, which the arena must hold */
	quash_size most;
} quash_mcp_input;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_input_kind;

/** The members of a quash_mcp_input, for C and C++. */
#define QUASH_MCP_INPUT(key, lifetime, most) \
	{ { &quash_mcp_input_kind }, (key), (lifetime), (most) }

/** For the config's `calls`, in place of `quash_calls`, which it contains. `quash_init` finds a part without it. */
extern const struct quash_call_hooks quash_mcp_calls;

/** Ends the request with QUASH_MCP_NOT_CAPABLE: its client must be able to be asked for that.
 * `data.requiredCapabilities` has what (2026-07-28 basic "Error Codes"). For what makes no sense without a
 * question; other tools are better off with words, see `quash_mcp_failure`.
 *
 * @param what  QUASH_MCP_SAMPLING ...
 * @return      what `quash_fail` returns */
int32_t quash_mcp_require(quash_request *request, uint8_t what);

#ifdef __cplusplus
}
#endif
#endif
