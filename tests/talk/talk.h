/* SPDX-License-Identifier: MIT
 * Transcripts: what is sent to a peer, and what it must answer. A file `TOPIC.talk` holds scenes; each is
 * played by a fresh testee, for every dialect that it names. Its lines:
 *
 *     # prose
 *     scene TITLE                 begins a scene
 *     dialect acp lsp mcp jsonrpc whom it concerns; without this line all four
 *     slots N, arena N, tx N      sizes; 8, 4096 and 1024 without these lines
 *     watched                     the program has a handler of its own for the cancel notification
 *     asking                      its `session/prompt` is as `asks`
 *     program NAME                whose peer it is, see programs.h, and of whose dialect the scene is; testee without this line.
 *                                 Such scenes are not played on boards, nor where the library knows its config
 *     outs                        what is answered depends on when TX is emptied: byte by byte it may come in another order
 *     ordered                     messages come in the order of the scene also when memory or TX is scarce
 *     halts                       is also played with a link that stands still after each of the bytes that are sent
 *
 *     -> MESSAGE                  is sent; its newline or header comes by itself
 *     ->> BYTES                   is sent as it stands; escapes: \r \n \t \\ \xHH
 *     <- MESSAGE                  must be the next message that the peer sends
 *     -> MESSAGE <- MESSAGE       both, in one line
 *     <- nothing                  the peer has nothing more to send now
 *     or <- MESSAGE               may be sent too, when memory or TX is scarce
 *
 *     step N                      lets handlers run (once without N)
 *     tick MS                     time passes
 *     @K LINE                     right before `step`: LINE happens at the K-th turn of the busy handler
 *     local ID, async ID          the program cancels a request, or an interrupt does
 *     shutdown                    everything is cancelled
 *     end, gone, reopen, lost     what may befall a link; what follows `lost` stands after the gap
 *     session                     the program finds that a new client speaks
 *     stall, drain                TX moves no byte any more; moves again
 *     does WHAT                   the program does that by itself
 *     counter NAME N              a counter's value now
 *     live N                      live requests now
 *     idle MS, idle               how long the program may sleep; without MS: until something happens
 *     call METHOD                 the program itself asks, for no request
 *     uncall ID                   and cancels what it asked
 *     calls N                     calls in use now
 *     reason TEXT                 the reason that the last cancel gave
 *     trace ID EVENT, EVENT...    the events of this request since the last such line: the name of the
 *                                 event, the cause or code, and the name of its reason; ID `none` for what has no id
 *
 *     did WHAT, WHAT(ID)...       what the program has done since the last such line
 *
 * What scenes share stands before them: after `let NAME TEXT` each `$NAME` is TEXT; the lines from `opening NAME` to the next
 * head of that kind stand in a scene for its line `after NAME`.
 *
 * In scenes of a program handlers run, without `step`, until what is expected right behind what was sent is there; time passes
 * while they sleep for no more than 10 ms.
 * What is sent in consecutive lines is one read. `[lsp mcp] LINE` is a line for these dialects only. In
 * messages `<<64*x>>` is 64 times x, `$N` in it the number of each; `$CANCEL` the name of the cancel notification, `$ID` the member of it
 * that names the request. Instead of JSON a message may be spelled with words:
 *
 *     -> ask ID METHOD PARAMS     a request; PARAMS may be absent
 *     -> calls ID TOOL ARGUMENTS MORE   MCP's call of a tool; MORE are members beside its arguments
 *     -> prompts ID SESSION TEXT  ACP's prompt of one text
 *     -> notify METHOD PARAMS     a notification
 *     -> cancel ID                the dialect's cancel
 *     -> bytes TEXT               a message with escapes as in ->>
 *     -> answers ID JSON          the result of what the peer has asked; for a busy handler it is sent once that has left
 *     -> refuses ID CODE TEXT     an error; without TEXT with the code's usual one
 *     <- result ID JSON           ID `none` stands for the id of a message whose id cannot be known
 *     <- error ID CODE TEXT       without TEXT with the code's usual one; `TEXT with JSON` has that as data, too
 *     <- says ID TEXT, fails ID TEXT   what a tool of MCP answers
 *     <- cancelled ID             what the dialect answers when the other side has cancelled (MCP: nothing)
 *     <- stopped ID               what it answers when we have cancelled
 *     <- notifies METHOD PARAMS   a notification
 *     <- asks ID METHOD PARAMS    a request of the peer's
 *     <- cancels ID               the dialect's cancel of it
 *
 *     <- broken TEXT              what was begun and given up: no JSON, or blanks at its end
 *
 * A message that ends with `*` may go on in any way.
 *
 * Over all that the peer asks, whatever the scene expects: ids rise; a cancel names what was asked, once, and nothing
 * whose answer was received before. Where memory is scarce and a request was refused for it, later ids are others than
 * in the scene: there these rules and that of one answer for each request are all that is checked. So it is with a program,
 * which remembers what it was told, where slots are few, TX is slow, or a request was refused for want of memory. */
#ifndef TALK_H
#define TALK_H

#include "end.h"
#include "words.h"

struct line {
	int number;
	enum verb verb;
	unsigned turn; /* of the busy handler; 0: now */
	uint32_t value;
	uint32_t answers; /* the id of what it is the answer to, or 0 */
	bool broken;      /* no message, but the beginning of one */
	struct text text; /* in full: with framing if it is sent, without if it is expected */
};

struct scene {
	int number; /* of its line */
	struct text title;
	bool concerned; /* the dialect for which it was read */
	bool watched;   /* a handler is called for its cancels */
	bool asking;    /* its prompts ask */
	bool outs;      /* the order depends on when TX is emptied */
	bool ordered;
	bool halts;
	bool calls;     /* the peer asks */
	const struct program *program; /* or NULL */
	uint32_t slots, arena, tx;
	size_t run;      /* the line at which handlers run for those that are read, or 0 */
	uint32_t opened; /* bytes that are sent in its openings */
	struct line *lines;
	size_t count;
};

struct script {
	const char *path;
	struct scene *scenes;
	size_t count;
};

/* --- parse.c */

/* Reads a file as it is meant for a dialect. False, after telling why, when it cannot be read. */
bool script_read(struct script *script, const char *path, unsigned dialect);
void script_free(struct script *script);
/* That are sent in it. */
size_t scene_bytes(const struct scene *scene);

/* --- play.c, judge.c, calls.c */

struct play;

enum { TURNS_AT_MOST = 200000 }; /* of a busy handler that nobody cancels */

struct message {
	size_t at, length; /* in the output */
	bool used, broken;
};

/* What the peer has asked. */
struct asked {
	uint32_t id;
	bool cancelled;   /* its cancel was sent */
	bool over;        /* its answer was received, or its link is gone */
	size_t answer;    /* where its answer ends in the input; 0: not sent */
	size_t composed;  /* how much was composed when the answer was received */
};

/* Where the peer is: in this process or elsewhere. What it receives and sends comes by play_takes, play_sends and play_turn
 * while one of these runs; what was asked of one that is elsewhere may wait until `sync` or until a result is needed. */
struct side {
	const char *(*open)(struct play *play, const struct setup *setup); /* what is wrong, or NULL */
	void (*close)(struct play *play);
	void (*sync)(struct play *play);
	void (*pump)(struct play *play);
	void (*settle)(struct play *play, unsigned patience, bool taken_is_enough);
	void (*watch)(struct play *play, uint32_t wake); /* turns are counted anew */
	bool (*befall)(struct play *play, enum verb verb, uint32_t value, const char *text);
	uint32_t (*value)(struct play *play, enum verb verb, uint8_t place);
	const char *(*reason)(struct play *play);
	bool (*is_over)(struct play *play);
};

/* here.c */
extern const struct side here;

/* wire.c: on a board, see wire.h. What a board has: bytes for slots, arena and TX; of these for each slot; for input. */
struct room {
	uint32_t memory, slot, input;
};

extern const struct side wire;

/* Starts the command that is the board, and ends it. False, after telling why, when it is none. */
bool wire_start(char **command);
void wire_stop(void);
const struct room *wire_room(void);
bool wire_is_dead(void);

struct traced {
	quash_event event;
	int32_t detail;
	quash_why why;
	const uint8_t *id;
	uint8_t id_length;
};

struct trace_line {
	struct text id, text;
};

struct play {
	const struct script *script;
	const struct scene *scene;
	const struct side *side;
	void *place; /* the side's own */
	unsigned dialect;
	struct setup setup; /* the mode is given, and the sizes, unless they are 0: then they are the scene's */
	bool show;

	struct text input; /* all that was sent */
	size_t given;      /* of it */
	bool gone, stalled;
	unsigned turns;
	size_t scheduled, scheduled_end; /* lines that wait for a turn of a busy handler */

	struct text output;
	size_t split; /* bytes of it that are messages already */
	struct message *messages;
	size_t message_count, message_next;
	size_t last_found; /* of them: that was expected last */
	struct asked *asked;
	size_t asked_count;
	struct trace_line *traces; /* not yet looked at, one for each event */
	size_t trace_count;
	bool missed;  /* a line named a request that was not there yet */
	bool tainted; /* something was refused for want of memory that otherwise would not have been */

	int failed_line; /* 0: all is well */
	struct text failure;
};

/* Plays a scene. False when it failed; `failed_line` and `failure` have where and why. */
bool play_scene(struct play *play);
void play_free(struct play *play);
/* Must it come exactly as written? */
bool play_is_exact(const struct play *play);
void play_fail(struct play *play, int line, const char *format, ...);
/* One pump; and as many as are needed until what was sent is received. */
void play_pump(struct play *play);
void play_flush(struct play *play);
/* One step, between pumps. */
void play_step(struct play *play);
/* As much time as the program sleeps, if that is a moment. */
void play_pass(struct play *play);

/* For sides: the peer has sent that; bytes of the input are taken, see end_events; a handler takes a turn. The latter
 * returns which turn is to be announced next. */
void play_sends(struct play *play, const uint8_t *bytes, size_t n);
void play_takes(struct play *play, size_t n, size_t waiting);
void play_traces(struct play *play, const struct traced *traced);
uint32_t play_turn(struct play *play, uint32_t turns);

/* Splits the output into messages and looks at each of them. */
void judge_output(struct play *play, int line);
void judge_expected(struct play *play, const struct line *line);
void judge_nothing(struct play *play, int line);
/* After the last line: nothing unexpected may be left. */
void judge_rest(struct play *play, int line);
/* After everything has ended: nobody was answered twice. */
void judge_counts(struct play *play, int line);
void judge_counter(struct play *play, const struct line *line);

/* trace.c: the events of the trace hook */
void trace_add(struct play *play, const struct traced *traced);
void trace_judge(struct play *play, const struct line *line);
void trace_free(struct play *play);

/* An answer is appended to the input. */
void calls_answer(struct play *play, const struct line *line);
/* The input up to there is received, while so much of what was composed waits. */
void calls_taken(struct play *play, size_t end, size_t waiting);
/* Nobody will answer any more. */
void calls_over(struct play *play);
/* Looks at a message of the peer's. */
void calls_look_at(struct play *play, const struct message *m, int line);
/* Whether it was asked; and whether this asks, or cancels what was asked. */
bool calls_asked(struct play *play, uint32_t id);
bool calls_ours(const struct play *play, const char *data, size_t length);

#endif
