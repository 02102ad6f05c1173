/* SPDX-License-Identifier: MIT
 * HTTP/1.1 as a server needs it (RFC 9110, RFC 9112): requests that come in any pieces, and heads of responses. Freestanding:
 * no heap, no descriptors, no clock. One reader for each connection.
 *
 *     static char head[1024];
 *     static port_http_reader reader;
 *
 *     static void connected(void) { port_http_open(&reader, head, sizeof head, 4096); }
 *
 *     static bool received(const uint8_t *bytes, size_t n) // false: answer and close
 *     {
 *         for (size_t at = 0;;) {
 *             switch (port_http_read(&reader, bytes, n, &at)) {
 *             case HTTP_HEAD: begin(port_http_field(&reader, "content-type", NULL)); break;
 *             case HTTP_BODY: keep(reader.body, reader.body_length); break;
 *             case HTTP_END: answer(&reader); port_http_next(&reader); break;
 *             case HTTP_WRONG: refuse(reader.status); return false;
 *             case HTTP_MORE: return true;
 *             }
 *         }
 *     }
 *
 * Read until HTTP_MORE, not until the last byte: an end that stands behind it comes with one more call.
 *
 * It is strict where two readers of one stream could differ (RFC 9112 section 11.2). A line ends with CR LF. There is one
 * Content-Length, of digits alone, or `Transfer-Encoding: chunked`, and never both. No line is folded. No blank stands
 * before a colon. Whatever breaks that is refused, and its connection is to be closed.
 *
 * Calling context: one thread. Cost: a few instructions for each byte, none of it twice. */
#ifndef PORT_HTTP_H
#define PORT_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum port_http_event {
	HTTP_MORE, /**< all bytes were read, and the request goes on */
	HTTP_HEAD, /**< its head has come: `method`, `target`, and the fields */
	HTTP_BODY, /**< `body_length` bytes of its body stand at `body`, within those that were given */
	HTTP_END,  /**< it has ended. The reader takes no byte before `port_http_next` */
	HTTP_WRONG /**< it is none, or too large: `status` is what to answer. The reader takes no byte any more */
} port_http_event;

/** The reader of a connection. The caller owns it; what has a comment of two stars may be read. */
typedef struct port_http_reader {
	const char *method, *target; /**< from HTTP_HEAD to `port_http_next`; NUL-terminated, in the head's memory */
	const uint8_t *body;         /**< with HTTP_BODY */
	size_t body_length;          /**< see above */
	uint16_t status;             /**< with HTTP_WRONG: 400, 413, 431, 501 or 505 */
	uint8_t minor;               /**< from HTTP_HEAD on: 0 for HTTP/1.0, which knows no chunks, 1 for HTTP/1.1 */
	bool closes;                 /**< the connection is not to be used again after the answer */
	bool waits;                  /**< from HTTP_HEAD on: the client waits for `100 Continue` before its body */
	char *head;
	size_t head_size, head_length; /* of the head; then of it and what is skipped beside a chunked body */
	size_t fields, fields_end;   /* where in it they stand */
	uint32_t body_most, left;    /* of the body, or of this chunk */
	uint32_t sum;                /* of chunks */
	uint8_t state;               /* enum state of http.c */
	bool chunked;
} port_http_reader;

/** Begins with a connection.
 *
 * @param head       memory for a head, as long as the reader is used
 * @param head_size  its size in bytes, at least 64; a longer head is answered 431
 * @param body_most  the longest body in bytes; a longer one is answered 413 */
void port_http_open(port_http_reader *reader, char *head, size_t head_size, uint32_t body_most);

/** Reads bytes from `*at` on, up to the next event.
 *
 * @param at  in: the first byte that was not read yet; out: the same, at most `n` */
port_http_event port_http_read(port_http_reader *reader, const uint8_t *bytes, size_t n, size_t *at);

/** After HTTP_BODY: the last `n` bytes of that piece were not taken. They stay with the caller: the next `port_http_read` from `*at` on
 * shows them again.
 *
 * @param at  as `port_http_read` has left it; out: the first of these bytes
 * @param n   at most `body_length` */
void port_http_leave(port_http_reader *reader, size_t *at, size_t n);

/** After HTTP_END: the next request of the connection is read. */
void port_http_next(port_http_reader *reader);

/** True if the response may come in chunks: the client speaks HTTP/1.1. From HTTP_HEAD on. */
bool port_http_takes_chunks(const port_http_reader *reader);

/** True while no byte of a request has come: the connection may be closed without loss. */
bool port_http_is_idle(const port_http_reader *reader);

/* --- Fields (from HTTP_HEAD to `port_http_next`) ---------------------------------------------------------------- */

/** The value of a field, without blanks around it; NULL: there is none.
 *
 * @param name   in small letters
 * @param after  a value that this function has returned, for the next field of the same name; NULL for the first one */
const char *port_http_field(const port_http_reader *reader, const char *name, const char *after);

/** The value of a field that may stand once; NULL also when it stands more than once.
 *
 * @param found  where to store how often it stands, 0, 1 or 2 for more; or NULL */
const char *port_http_single(const port_http_reader *reader, const char *name, unsigned *found);

/** True if one of the fields of that name lists the word, as `close` in `Connection: keep-alive, Close`. Parameters after a
 * semicolon do not count. */
bool port_http_lists(const port_http_reader *reader, const char *name, const char *word);

/** True if the value is that of a Content-Type, and names this media type. Its parameters must be well-formed, and do not count.
 *
 * @param value  of the field; NULL: false
 * @param type   in small letters, `application/json` */
bool port_http_is_type(const char *value, const char *type);

/** True if the client takes responses of that media type: there is no `Accept`, or the most precise of its ranges that has the type has a
 * quality above 0. */
bool port_http_accepts(const port_http_reader *reader, const char *type);

/* --- Responses ---------------------------------------------------------------------------------------- */

/** A head that is being put. The caller owns it, and fills in the first two. When `length` is more than `size` in the end there
 * was no room, and nothing was written beyond it. */
typedef struct port_http_text {
	char *to;
	size_t size, length;
} port_http_text;

/** The status line. */
void port_http_put_status(port_http_text *text, unsigned status);
/** A field. Neither text may hold CR or LF. */
void port_http_put_field(port_http_text *text, const char *name, const char *value);
/** `Content-Length`. */
void port_http_put_length(port_http_text *text, size_t length);
/** The empty line. */
void port_http_put_end(port_http_text *text);

enum { HTTP_CHUNK_HEAD = 10 };

/** What stands before the bytes of a chunk. CR LF follows them. A chunk of 0 bytes ends the body, and CR LF follows it too.
 *
 * @param length  of the chunk, in bytes
 * @return        the length of what was put */
size_t port_http_put_chunk(char to[HTTP_CHUNK_HEAD], uint32_t length);

#ifdef __cplusplus
}
#endif
#endif
