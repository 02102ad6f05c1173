/* SPDX-License-Identifier: MIT
 * A peer in memory with methods that do as they are told, for tests that read as transcripts: what is said to
 * it, what it answers, which handlers were called. In all texts ' stands for ". */
#ifndef QUASH_TESTS_DEVICE_H
#define QUASH_TESTS_DEVICE_H

#include "unit.h"

#include "loop.h"

/* The device's methods. Each reads {"steps":n} and is done at its call number n + 1, without steps never.
 *
 *   now        answers 1
 *   echo       answers its params
 *   wait       looks at the flag and then fails with -32603; answers 'waited'; has an end hook
 *   stubborn   never looks at the flag; answers 'done'; has an end hook
 *   drops      is dropped on cancel; has an end hook
 *   partial    gives partial results: 'part' or 'all'; has an end hook
 *   limited    as wait, with a deadline of 100 ms
 *   constant   as wait, with the cancelled result {"stop":"cancelled"}
 *   session/prompt, initialize   as wait
 *   returns    returns {"code":n}
 *   busy       stays inside of one call, n turns of device_busy_turn, and looks at the flag after each
 *   ramp       answers 1; its end hook is called again until device_at_rest; has a released hook
 *   note       a notification; has an end hook */
enum { DEVICE_METHODS = 14 };
extern const quash_method device_methods[DEVICE_METHODS];

extern loop device;

/* What a busy handler does in each turn. */
extern void (*device_busy_turn)(quash_request *request);

/* What `ramp` moves has come to rest. */
extern bool device_at_rest;

/* Begins anew; a test may change device.config between the first and the second. */
void device_prepare(const quash_dialect *dialect);
void device_begin(void);
void device_start(const quash_dialect *dialect);
void device_start_with_slots(const quash_dialect *dialect, uint8_t slots);

/* The same with these methods in place of the device's. */
#define DEVICE_PREPARE(dialect, list) device_prepare_with(dialect, list, COUNT_OF(list))
void device_prepare_with(const quash_dialect *dialect, const quash_method *methods, uint8_t count);

/* Writes down that something happened, for DID. */
void device_write_down(const quash_request *request, const char *what);

/* A quash_trace that does so too. */
void device_trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why);

/* The text with ' turned into ". Good as long as it and what is asked for later do not fill UNIT_QUOTED. */
const char *quoted(const char *text);

/* Says one message in the dialect's framing. */
void say(const char *message);

/* Feeds the text once, as it is, and returns how much was taken. */
size_t offer(const char *text);

/* The same when all of it must be taken, or nothing. */
void takes_all(const char *text);
void takes_nothing(const char *text);

/* Feeds all of it, with a step wherever nothing is taken; the second takes the bytes as they are. */
void say_on(const char *text);
void feed_on(const char *bytes, size_t n);

/* Fills TX, so that no answer finds room and nothing leaves; what fills it leaves, and the answers after it are for
 * ANSWERS. */
void fill_tx(void);
void drain_fill(void);

/* Takes steps, a millisecond apart. */
void step(void);
void steps(unsigned n);
void say_and_step(const char *message);

/* What the device has answered since, one message a line, whatever its framing. */
#define ANSWERS(expected) device_answers(expected, UNIT_FILE, __LINE__)
void device_answers(const char *expected, const char *file, int line);

/* The same after so many steps. */
#define ANSWERS_AFTER(n, expected) device_answers_after(n, expected, UNIT_FILE, __LINE__)
void device_answers_after(unsigned n, const char *expected, const char *file, int line);

/* Says a message, takes so many steps, and sees these answers. */
#define ANSWERS_TO(message, n, expected) device_answers_to(message, n, expected, UNIT_FILE, __LINE__)
void device_answers_to(const char *message, unsigned n, const char *expected, const char *file, int line);

/* What it has done since: "wait(1) end(1)" for a call of that handler with id 1 and its end hook. */
#define DID(expected) device_did(expected, UNIT_FILE, __LINE__)
void device_did(const char *expected, const char *file, int line);
void device_forget(void);

#define COUNTED(counter, n) assert_int_equal(device.counters.counter, n)

/* Every slot's state is a legal one, and the list of the live ones is whole. */
void device_check(void);

/* quash_init refuses device.config, and its fault has these members; `what` as for assert_fault. */
void device_refuses(const char *table, const char *name, const char *what, unsigned index);

/* The text is JSON, and no more. */
void assert_json(const char *text, size_t n);

/* The live request with that id, as it stands in the message. */
quash_request *live(const char *id);

#define REQUEST(id, method) "{'jsonrpc':'2.0','id':" id ",'method':'" method "'}"
#define REQUEST_WITH(id, method, params) \
	"{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':" params "}"
#define NOTE(method)              "{'jsonrpc':'2.0','method':'" method "'}"
#define NOTE_WITH(method, params) "{'jsonrpc':'2.0','method':'" method "','params':" params "}"
#define CANCEL(id)                NOTE_WITH("$/cancel_request", "{'requestId':" id "}")
#define LSP_CANCEL(id)            NOTE_WITH("$/cancelRequest", "{'id':" id "}")
#define MCP_CANCEL(id)            NOTE_WITH("notifications/cancelled", "{'requestId':" id "}")
#define MCP_CANCEL_FOR(id, reason) \
	NOTE_WITH("notifications/cancelled", "{'requestId':" id ",'reason':" reason "}")

#define RESULT(id, value)            "{'jsonrpc':'2.0','id':" id ",'result':" value "}\n"
#define ERROR(id, code, text) \
	"{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" text "'}}\n"
#define ERROR_WITHOUT_ID(code, text) "{'jsonrpc':'2.0','error':{'code':" code ",'message':'" text "'}}\n"
#define CANCELLED(id)                ERROR(id, "-32800", "Request cancelled")
#define FAILED(id)                   ERROR(id, "-32803", "Request failed")
#define INTERNAL(id)                 ERROR(id, "-32603", "Internal error")
#define INVALID(id)                  ERROR(id, "-32600", "Invalid Request")
#define UNKNOWN(id)                  ERROR(id, "-32601", "Method not found")
#define BUSY(id)                     ERROR(id, "-32010", "Busy")
#define TOO_LARGE(id)                ERROR(id, "-32011", "Message too large")
#define PARSE_ERROR                  ERROR("null", "-32700", "Parse error")

#endif
