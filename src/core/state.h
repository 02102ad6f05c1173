/* SPDX-License-Identifier: MIT
 * The state of requests and of the connection: one name for each fact. */
#ifndef QUASH_SRC_STATE_H
#define QUASH_SRC_STATE_H

#include "../../include/quash/peer.h"

enum { NO_INDEX = 0xFF };

/* What has become of a request. */
enum quash_life {
	LIFE_FREE,
	LIFE_PARKED,  /* its handler was never called */
	LIFE_RUNNING, /* its handler is to be called, or is on the stack */
	LIFE_ENDED    /* its handler is not called any more: hooks or the answer may be due */
};

/* What has become of its answer. A notification has none from the beginning: ANSWER_SILENT. */
enum quash_answer_stage {
	ANSWER_NONE,
	ANSWER_RECORDED,
	ANSWER_BEGUN,   /* its first byte, or that of its batch, is in TX */
	ANSWER_WRITTEN, /* and its last: from here on nothing is to be written */
	ANSWER_SILENT   /* nothing is written, and its id names nothing */
};

/* What a recorded answer is made of. */
enum quash_answer_form {
	FORM_NONE,       /* none was recorded yet */
	FORM_WORDS,      /* an error with the library's words */
	FORM_FAIL,       /* an error with words of the program's */
	FORM_FAIL_DATA,  /* and with data, which is put */
	FORM_FAIL_PUT,   /* an error whose message is put */
	FORM_FAIL_AS,    /* an error that is put whole */
	FORM_PUT,        /* a result */
	FORM_ITEMS       /* a result, or an error that is put whole, in pieces */
};

enum quash_slot_mark {
	MARK_END = 1 << 0,     /* its `end` hook is due once its handler has ended, and the group is held */
	MARK_RELEASE = 1 << 1, /* its `released` hook is due with the slot */
	MARK_TIMED = 1 << 2,   /* `deadline` is one */
	MARK_WAITING = 1 << 3, /* `wake` is when to call the handler or hook again */
	MARK_CROWDED = 1 << 4, /* its answer lets a notification go first */
	MARK_MEMBER = 1 << 5,  /* of the batch */
	MARK_DUE = 1 << 6,     /* to be looked at in this step */
	MARK_STARTED = 1 << 7  /* its handler was called */
};

/* What a batch that is not received to its end does beside, and how it is answered. */
enum quash_effect {
	EFFECT_CANCELS = 1 << 0, /* a cancel in it names the request */
	EFFECT_BEGINS = 1 << 1,  /* it is a notification in it, beside another batch that is under way */
	EFFECT_ERA = 1 << 2      /* its params have the dialect's era_member */
};

enum quash_batch_state {
	BATCH_RECEIVING = 1 << 0, /* its members are being received */
	BATCH_MEMBERS = 1 << 1,   /* it has any */
	BATCH_REFUSED = 1 << 2,   /* it is too much */
	BATCH_RUNNING = 1 << 3,   /* it is received, and not answered to its end */
	BATCH_SCALAR = 1 << 4     /* the member that is kept is no object */
};

/* From LINK_ENDING on the input has ended, and no sign of life can come. */
enum quash_link_state { LINK_UP, LINK_GONE, LINK_ENDING /* once what is kept goes on */, LINK_ENDED };

enum quash_id_kind { ID_NONE, ID_STRING, ID_NUMBER };

/* Why receiving waits. */
enum quash_pause {
	PAUSE_NONE,
	PAUSE_STEP,   /* for the next step */
	PAUSE_ROOM,   /* a step has run; what holds the room comes free when its answer has left */
	PAUSE_REFUSAL /* a refusal found no slot, and stands where the next id would */
};

/* What it has kept back. */
enum quash_kept {
	KEPT_NOTHING,
	KEPT_MESSAGE, /* a whole one, which found no slot */
	KEPT_MEMBER,  /* the same of a batch */
	KEPT_BRACKET, /* what comes after it: another batch is under way */
	KEPT_BYTE     /* the arena is full */
};

#endif
