/* SPDX-License-Identifier: MIT
 * JSON in a program's hands: values that came in, and the writer for what goes out.
 *
 * Every function here may be called from a handler and from the program's own code on the peer's thread. None of them
 * may be called from an interrupt or another thread. None blocks, allocates or recurses. */
#ifndef QUASH_JSON_H
#define QUASH_JSON_H

#include "lex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Values that came in ---------------------------------------------------------------------------- */

/** What a value is. */
typedef enum quash_kind {
	QUASH_NONE,   /**< there is no such value */
	QUASH_NULL,   /**< `null` */
	QUASH_FALSE,  /**< `false` */
	QUASH_TRUE,   /**< `true` */
	QUASH_NUMBER, /**< a number, kept as the text that came */
	QUASH_STRING, /**< a string, decoded, UTF-8, NUL-terminated; it may contain NULs of its own */
	QUASH_ARRAY,
	QUASH_OBJECT
} quash_kind;

/** A view of a value that came in. Copy it freely; it owns nothing.
 *
 * It looks into the arena, whose contents are moved whenever no handler is on the stack. So it lives until the handler,
 * hook or put function that took it returns. Take it anew each time. Its members are opaque. The zero value is
 * QUASH_NONE, and every function below takes it. */
typedef struct quash_value {
	const uint8_t *arena;
	quash_size at;
	quash_size end;
} quash_value;

/** How reading a number went. */
typedef enum quash_number {
	QUASH_NUMBER_OK,
	QUASH_NUMBER_TYPE, /**< not a number, or none where an integer was asked for (`1.0` and `1e0` are integers) */
	QUASH_NUMBER_RANGE /**< a number, but too large for the type; the nearest one was stored */
} quash_number;

/** What `value` is. Cost: constant. */
quash_kind quash_kind_of(quash_value value);

/** The member or element that `path` leads to: names and indices joined by dots, `arguments.pin`, `list.0`. An index
 * is at most 65529.
 *
 * Of members with the same name the last one wins, as in JavaScript. Where the path leads no further, a member may have
 * all of its rest as its name: `_meta.io.modelcontextprotocol/protocolVersion`. The path goes first: in
 * `{"a":{},"a.b":1}` it finds nothing, and quash_member does. QUASH_NONE when there is no such value. Cost: linear in
 * the size of `value`. */
quash_value quash_get(quash_value value, const char *path);

/** The member of an object with exactly that name, dots and all: `io.modelcontextprotocol/protocolVersion`. The last
 * one wins. QUASH_NONE when there is none. Cost: linear in the size of `object`. */
quash_value quash_member(quash_value object, const char *name);

/** The next member or element of `container`: walks it in the order that it came in.
 *
 * @param cursor  begin with a zero quash_value; the walk keeps its place in it
 * @param key     where the member's name is stored (QUASH_NONE in an array), or NULL
 * @param value   where the value is stored
 * @return        false when there is no further one */
bool quash_next(quash_value container, quash_value *cursor, quash_value *key, quash_value *value);

/** The text of a string or number, NUL-terminated; "" for anything else. Lives as long as `value`. */
const char *quash_text(quash_value value);

/** The length of `quash_text`, in bytes without the NUL. */
size_t quash_length(quash_value value);

/** True if `value` is a string and equals the NUL-terminated `text`. */
bool quash_is(quash_value value, const char *text);

/** Reads an integer. A fraction that is zero and an exponent are allowed, as JSON knows one kind of number.
 * Nothing is stored for QUASH_NUMBER_TYPE. */
quash_number quash_int32(quash_value value, int32_t *number);

/** As `quash_int32`, with 64 bits. */
quash_number quash_int64(quash_value value, int64_t *number);

/** As `quash_int32`, without sign; a negative one is QUASH_NUMBER_RANGE and stored as 0. */
quash_number quash_uint32(quash_value value, uint32_t *number);

/** Reads `true` or `false`. False when it is neither; then nothing is stored. */
bool quash_bool(quash_value value, bool *truth);

/** Reads any number as a double. It is correctly rounded for up to 15 digits and powers of ten within +-22, else within
 * a few units in the last place. QUASH_NUMBER_RANGE when it is too large to be finite. The only function with floating
 * point in it, in a file of its own: firmware that never calls it links no float code. */
quash_number quash_double(quash_value value, double *number);

/* --- The writer -------------------------------------------------------------------------------------- */

/** Where in a JSON text a writer stands, and so what may come next. Opaque. */
typedef struct quash_place {
	uint32_t kinds;  /* one bit per open container: 1 object, 0 array */
	uint8_t begun[3]; /* the bytes of a character whose others are to come */
	uint8_t begun_count; /* so many */
	uint8_t depth;   /* open containers */
	uint8_t expects; /* enum quash_expects: what may come next */
	uint8_t floor;   /* twice the depth that one value is put at, + 1 if it is put inside of a string */
	uint8_t quote;   /* the floor outside of that string + 1, or 0 */
} quash_place;

/** Writes JSON into the peer's TX buffer. Put functions are handed one, `quash_notify` returns one. Its members are
 * opaque.
 *
 * Puts never fail, and what goes out is always JSON. Commas and colons come by themselves, no white space is written.
 * Containers that are left open are closed at the end, and a key without a value gets `null`.
 *
 * Each of these makes the whole message void:
 * - a key outside of an object, a value where a key must stand, a second value, an end of nothing;
 * - a string's part outside of a string, anything else inside of one;
 * - a string or quote that is left open, a quote in a quote;
 * - more than QUASH_DEPTH open containers.
 *
 * An answer is then -32603, a notification is dropped. Both are counted and traced.
 *
 * Bytes that are no UTF-8 become U+FFFD, one for each longest part that could begin a character (as browsers do). A
 * character may be spread over several parts of one string. */
typedef struct quash_writer {
	quash_place place;
	quash_place again;   /* at the beginning of the piece that the next window begins in */
	uint8_t why;         /* a quash_why: QUASH_WHY_UNBALANCED, QUASH_WHY_PUT_DEEP; 0 as long as it is JSON */
	bool full;           /* a byte found no room */
	uint16_t sum;        /* over the bytes from `from` to `skip` as they are put again */
	uint16_t sum_sent;   /* over the same bytes as they have gone out */
	quash_size size;     /* of the buffer */
	quash_size sent;     /* bytes before this one have left */
	quash_size tail;     /* committed bytes end here */
	quash_size at;       /* the next byte to write */
	uint32_t count;      /* bytes that the message has had so far, stored or not */
	uint32_t from;       /* of those, the first of the piece that the next window begins in */
	uint32_t skip;       /* of those, the first that have gone out in earlier windows */
	uint32_t total;      /* of the message, once it is measured; else 0 */
	uint8_t *buffer;
} quash_writer;

void quash_put_object(quash_writer *w); /**< `{` */
void quash_put_array(quash_writer *w);  /**< `[` */
void quash_put_end(quash_writer *w);    /**< closes the innermost container */

/** A member's name; its value is the next thing put. `key` is NUL-terminated UTF-8. */
void quash_put_key(quash_writer *w, const char *key);

void quash_put_null(quash_writer *w);                   /**< `null` */
void quash_put_bool(quash_writer *w, bool value);       /**< `true` or `false` */
void quash_put_int(quash_writer *w, int32_t value);     /**< an integer */
void quash_put_uint(quash_writer *w, uint32_t value);   /**< an integer */
void quash_put_int64(quash_writer *w, int64_t value);   /**< an integer; in a file of its own */

/** A string, escaped as short as JSON allows. `text` is NUL-terminated UTF-8. */
void quash_put_text(quash_writer *w, const char *text);

/** A string of `length` bytes of UTF-8, NULs included. */
void quash_put_string(quash_writer *w, const char *text, size_t length);

/** A value that came in, written again: no white space, the shortest escapes, numbers as they came. */
void quash_put_value(quash_writer *w, quash_value value);

/** A member's name that came in, as `quash_next` gives it; its value is the next thing put. */
void quash_put_key_value(quash_writer *w, quash_value key);

/** JSON text of the caller's: for constants such as schemas. It must be one complete value, which is trusted; the build
 * for tests checks it. Line ends and tabs in it are left out; everything else is put as it is. */
void quash_put_raw(quash_writer *w, const char *json);

/** A string in pieces: open, any number of parts, close. */
void quash_put_string_open(quash_writer *w);
void quash_put_string_part(quash_writer *w, const char *text, size_t length); /**< escaped like any string */
void quash_put_string_close(quash_writer *w);

/** JSON inside of a string: the one value that is put in between becomes the text of a string. One quote may be open at
 * a time. Its end closes the containers that were opened inside of it. */
void quash_put_quote_open(quash_writer *w);
void quash_put_quote_close(quash_writer *w); /**< ends what `quash_put_quote_open` began */

/** A string of a constant text with values in it: `quash_put_textf(w, "%d of %d, %s", done, count, name)`. The format
 * is a literal, and at least one value follows, so a user's text is never a format. gcc and clang compare the types
 * (-Wformat).
 *
 * - `%d`, `%u`: an `int`, an `unsigned`. An AVR's have 16 bits.
 * - `%ld`, `%lu`: a `long`, an `unsigned long`. An `int32_t` is one or the other by the processor. `(long)value` is
 *   right on all.
 * - `%.2d` and its kin: the same in hundredths, with a point before the last two digits: 1234 is `12.34`, -5 is
 *   `-0.05`. Nothing is rounded. `.0` to `.9` say how many digits stand behind the point. No floating point is linked.
 *   It is not what printf does with them.
 * - `%s`: a NUL-terminated text, escaped as every string; NULL is "".
 * - `%c`: a byte of text, as an `int`; `%%`: a percent sign.
 *
 * Anything else that begins with `%` is put as it stands, and so is all behind it: no value is taken for it. */
#define quash_put_textf(w, format, ...) quash_put_textf_((w), "" format "", __VA_ARGS__)
/** What the macro above stands for. */
void quash_put_textf_(quash_writer *w, const char *format, ...) QUASH_FORMAT_(2, 3);

/** An integer's digits inside of an open string. */
void quash_put_string_int(quash_writer *w, int32_t value);

/** A double with up to `digits` (1 to 9) significant digits; `null` when it is not finite. In the file of
 * `quash_double`. */
void quash_put_double(quash_writer *w, double value, uint8_t digits);

#ifdef __cplusplus
}
#endif
#endif
