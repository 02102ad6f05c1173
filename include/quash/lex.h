/* SPDX-License-Identifier: MIT
 * The lexer: strict RFC 8259, pushed in any pieces, knows nothing of RPC.
 *
 * The peer contains one; a program may also use it alone. It calls no function of the program or of libc. It needs no
 * memory but its struct and room for text, and does a bounded amount of work for each byte. */
#ifndef QUASH_LEX_H
#define QUASH_LEX_H

#include "size.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How deep containers may nest (RFC 8259 section 9 allows a limit). Deeper ones are counted, not looked
 * into. */
#define QUASH_DEPTH 32

/** What a run of bytes meant. Up to QUASH_LEX_OBJECT the numbers are those of quash_kind. */
typedef enum quash_lex_event {
	QUASH_LEX_MORE,       /**< every byte is used, and there is no other event */
	QUASH_LEX_NULL,       /**< `null` */
	QUASH_LEX_FALSE,      /**< `false` */
	QUASH_LEX_TRUE,       /**< `true` */
	QUASH_LEX_NUMBER,     /**< a number begins; its first byte is not used yet */
	QUASH_LEX_STRING,     /**< a string value begins */
	QUASH_LEX_ARRAY,      /**< `[` */
	QUASH_LEX_OBJECT,     /**< `{` */
	QUASH_LEX_KEY,        /**< a member's name begins */
	QUASH_LEX_END,        /**< the key, string or number has ended */
	QUASH_LEX_ARRAY_END,  /**< `]` */
	QUASH_LEX_OBJECT_END, /**< `}` */
	QUASH_LEX_DEEP,       /**< a container deeper than QUASH_DEPTH begins; the next event comes when it has ended */
	QUASH_LEX_TEXT,       /**< text of a key, string or number has filled its room */
	QUASH_LEX_ERROR,      /**< not JSON; comes again for every further call, and no byte is used any more */
	QUASH_LEX_LINE        /**< the line ends here; its LF is not used. Only if `line` is set */
} quash_lex_event;

/** The least `size`: an escape may mean that many bytes. */
enum { QUASH_LEX_ROOM = 4 };

/** A lexer. The caller owns it; its members are opaque but for those that are described. */
typedef struct quash_lex {
	uint32_t kinds;    /* one bit per open container: 1 object, 0 array */
	uint8_t *text;     /**< where the text of a key, string or number is written, decoded */
	quash_size length; /**< bytes that were written there since the text began, or the caller set it to 0 */
	quash_size size;   /**< of `text`, at least QUASH_LEX_ROOM. The caller may change both between two calls */
	uint8_t state;
	uint8_t left;      /* of a UTF-8 character, of a literal or of \u: what is still to come */
	bool key;          /* the open string is a member's name */
	bool lone;         /**< the open or last string had a lone surrogate, which became U+FFFD */
	bool line;         /**< an LF ends the text; set by the caller after quash_lex_init, which clears it */
	uint16_t high;     /* a high surrogate that waits for its low one, or 0 */
	uint16_t unit;     /* the \u escape being read; what the next UTF-8 byte may be */
	unsigned depth;    /* open containers */
} quash_lex;

/** Begins a new text. Cost: constant.
 *
 * @param text  where text goes; borrowed until the next one begins, or the caller names another place
 * @param size  its size: QUASH_LEX_ROOM or more */
void quash_lex_init(quash_lex *lex, uint8_t *text, quash_size size);

/** Reads bytes up to the next event.
 *
 * @param data     the bytes; borrowed for the call
 * @param n        their number
 * @param at       index of the first byte to read; afterwards of the first byte that was not used
 * @return         the event. QUASH_LEX_MORE is returned only when `*at` has reached `n`.
 *
 * However a text is cut into calls, the events are the same, and so is the text at each of them.
 *
 * QUASH_LEX_KEY, QUASH_LEX_STRING and QUASH_LEX_NUMBER set `length` to 0. Text is written decoded; nothing is written
 * beyond `size`. QUASH_LEX_TEXT comes as soon as fewer than QUASH_LEX_ROOM bytes are free, perhaps within a character.
 * The caller then takes the text and sets `length` to 0, or gives more room. At QUASH_LEX_END the rest stands there, or
 * all of it.
 *
 * After the end of the outermost value only white space is allowed (RFC 8259 section 2). A number is ended by the byte
 * after it, which is then read again as itself. UTF-8 is checked (RFC 3629).
 *
 * With `line` set, each LF is a QUASH_LEX_LINE, wherever it stands: in a string and after an error too. It comes again
 * for every further call, until the caller begins a new text after the LF. `quash_lex_complete` is true if the text was
 * complete there. */
quash_lex_event quash_lex_run(quash_lex *lex, const uint8_t *data, size_t n, size_t *at);

/** `quash_lex_run` for one byte. `*again` is set when the byte was not used and must be given again. */
quash_lex_event quash_lex_byte(quash_lex *lex, uint8_t byte, bool *again);

/** True if the text is complete if it ends here: one value, perhaps with white space around it. */
bool quash_lex_complete(const quash_lex *lex);

/** True if nothing but white space was read yet. */
bool quash_lex_blank_(const quash_lex *lex);

#ifdef __cplusplus
}
#endif
#endif
