/* SPDX-License-Identifier: MIT
 * Why something was refused, dropped, silenced or answered with an error: codes for the trace. */
#ifndef QUASH_WHY_H
#define QUASH_WHY_H

#ifdef __cplusplus
extern "C" {
#endif

/** Why. Numbers stay as they are from version to version; new ones are added at the end. */
typedef enum quash_why {
	QUASH_WHY_NONE,
	QUASH_WHY_NO_JSON,         /**< the message is no JSON */
	QUASH_WHY_ENVELOPE,        /**< it is no JSON-RPC message */
	QUASH_WHY_ID,              /**< its id is none that can be used */
	QUASH_WHY_DUPLICATE_ID,    /**< a live request has the same id */
	QUASH_WHY_METHOD,          /**< no entry serves the method */
	QUASH_WHY_DEEP,            /**< nested deeper than QUASH_DEPTH */
	QUASH_WHY_ARENA_SIZE,      /**< larger than the whole arena */
	QUASH_WHY_ARENA_FULL,      /**< the arena is held by requests that have not ended */
	QUASH_WHY_SLOTS_FULL,      /**< the slots are */
	QUASH_WHY_BATCH,           /**< another batch is under way */
	QUASH_WHY_GROUP,           /**< another request holds the group */
	QUASH_WHY_CANCELLED,       /**< the other side cancelled it */
	QUASH_WHY_OWN_CANCEL,      /**< a cause of our own cancelled it */
	QUASH_WHY_LINK,            /**< the link is gone */
	QUASH_WHY_SESSION,         /**< a new client began a session */
	QUASH_WHY_NO_ANSWER,       /**< the handler ended without an answer */
	QUASH_WHY_BAD_CODE,        /**< the handler returned a code that is no error */
	QUASH_WHY_SECOND_ANSWER,   /**< the handler replied again, or returned something else after its reply */
	QUASH_WHY_UNBALANCED,      /**< a put function wrote something that is no JSON */
	QUASH_WHY_PUT_DEEP,        /**< a put function nested deeper than QUASH_DEPTH */
	QUASH_WHY_CHANGED,         /**< a put function put something else the second time */
	QUASH_WHY_STATE_SIZE,      /**< the config's state_size is too small for the method */
	QUASH_WHY_TX_FULL,         /**< TX had no room */
	QUASH_WHY_TX_SIZE,         /**< it is longer than TX */
	QUASH_WHY_ANSWER_WAITS,    /**< a recorded answer waits for TX */
	QUASH_WHY_HANDLER,         /**< the handler answered with an error */
	QUASH_WHY_SECOND_GROUP,    /**< it holds another group already */
	QUASH_WHY_NO_CALLS,        /**< the config names no calls */
	QUASH_WHY_CONFIG,          /**< quash_init has refused the config */
	QUASH_WHY_TEXT_SIZE,       /**< the values of an answer's text find no room */
	QUASH_WHYS
} quash_why;

/** The same in a few words, a constant. In a file of its own: firmware that never calls it has no texts. */
const char *quash_why_text(quash_why why);

#ifdef __cplusplus
}
#endif
#endif
