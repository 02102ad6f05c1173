/* SPDX-License-Identifier: MIT
 * Transcripts of quash-bridge: who says what to whom. `let`, `opening` and `after` are those of every transcript, and so are the words of
 * messages: talk.h. `->` goes to the bridge, `<-` comes from it. The lines:
 *
 *     scene TITLE
 *     shows PAGE WORDS            what it shows of a page: tests/readme/promises.mjs
 *     outs                        who gets what first depends on how bytes pass: not played byte by byte or cut
 *     token WORD                  that of --token-file
 *     bridge OPTION...            it starts, with these options. Without a door its client is called `client`; the one device
 *                                 is called `device`, several have their names
 *
 *     NAME is away WORDS          the device cannot be opened, by what WORDS say
 *     NAME is used WORDS          another program has it
 *     NAME is slow                it is neither there nor away
 *     NAME is there               which each device is at the start
 *     NAME tried N                how often the bridge has opened it since the last such line
 *     NAME answers METHOD JSON    it answers such requests by itself from now on, which the scene does not see
 *     NAME keeps METHOD           and from now on it does not
 *     NAME comes [by TCP|HTTP]    a client connects
 *     NAME waits [by TCP|HTTP]    there is no place for one
 *     NAME ends, ends unread      its input has an end, whatever of it is unread
 *     NAME is gone WORDS          nothing passes any more
 *     NAME stalls, drains         it takes nothing; goes on
 *     NAME reads, is unread       the bridge takes what it says; does not
 *
 *     NAME -> MESSAGE             it says that
 *     NAME ->> BYTES
 *     NAME <- MESSAGE             the next that it gets
 *     NAME <- N times MESSAGE     the next N
 *     NAME <- nothing             there is no more now
 *     NAME <- closed, hung up     the bridge closes its line; will transmit no more to the device
 *     NAME <- signs N             that many life signs
 *     NAME <- token               the line of the token
 *     NAME -> MESSAGE <- MESSAGE
 *
 *     NAME shows FIELD: VALUE     a client of HTTP has it in each request; `shows nothing` forgets them
 *     NAME posts MESSAGE          a request of HTTP
 *     NAME gets, deletes
 *     NAME <- STATUS [MESSAGE]    the response and its body; `stream` behind STATUS: a stream of events begins. Then
 *                                 `<- MESSAGE` is the next event, `<- event` one without data, `<- comment`, `<- over` its end
 *     NAME got FIELD: VALUE       that response has the field
 *     NAME got event VALUE        that is the id of its last event
 *
 *     tick MS                     time passes
 *     idle MS, idle               how long the bridge sleeps; without MS until something comes
 *     log LEVEL TEXT              is logged behind what the last such line has; infos between them need no line
 *     no log TEXT                 nothing that was logged so far begins with TEXT, which begins with a level
 *     record TEXT                 is the next line of the record
 *     end                         the bridge is to end
 *     over CODE                   it has ended
 *
 * In messages and texts `<name>` is a value that the bridge has chosen: the first one that is expected gives it, the others are the
 * same. `<_>` is any value. A message that ends with `*` may go on in any way. */
#ifndef BRIDGE_SCENE_H
#define BRIDGE_SCENE_H

#include "host.h"

enum step_kind {
	STEP_BRIDGE, STEP_TOKEN, STEP_TICK, STEP_IDLE, STEP_LOG, STEP_NO_LOG, STEP_RECORD, STEP_END, STEP_OVER,
	STEP_AWAY, STEP_USED, STEP_SLOW, STEP_THERE, STEP_TRIED, STEP_ANSWERS, STEP_KEEPS, STEP_COMES, STEP_WAITS, STEP_FINISHES,
	STEP_GONE, STEP_STALLS, STEP_DRAINS, STEP_READS, STEP_UNREAD, STEP_SHOWS, STEP_GOT,
	STEP_SAYS, STEP_SAYS_BYTES, STEP_POSTS, STEP_GETS, STEP_DELETES, STEP_HEARS
};

struct step {
	int number; /* of the line */
	enum step_kind kind;
	struct text who, words;
};

struct scene {
	int number;
	struct text title;
	bool outs;
	struct step *steps;
	size_t count;
};

struct scenes {
	const char *path;
	struct scene *all;
	size_t count;
};

/* --- read.c. False, after telling why */

bool scenes_read(struct scenes *scenes, const char *path);
void scenes_free(struct scenes *scenes);

/* --- holes.c: values that the bridge has chosen */

struct holes {
	struct text *names, *values;
	size_t count;
};

/* Puts them in place; false: one has no value yet. */
bool holes_fill(const struct holes *holes, const char *words, struct text *to);
/* Whether `text` is as expected; holes without a value get theirs. */
bool holes_match(struct holes *holes, const char *expected, const char *text, size_t length);
void holes_free(struct holes *holes);

/* --- http.c: responses as texts */

/* How far a client has read. */
struct http_reading {
	bool streams, chunked;
	size_t head, head_length; /* of the response, in what it got */
	struct text event; /* as much of it as has come */
	struct text id;    /* of the last one */
};

/* Cuts the next item off: STATUS and body, or what a stream has. 0: it is not whole; else how much of `data` it was. */
size_t http_item(struct http_reading *reading, const char *data, size_t length, struct text *item);
void http_request(struct text *to, const char *method, const char *fields, const char *body);
bool http_field(const char *head, size_t length, const char *name, struct text *value);

/* --- account.c: what clients have asked, and what of it was answered */

struct asked {
	struct text id;
	bool answered, excused;
};

struct account {
	struct asked *asked;
	size_t count;
	bool blind; /* what was asked is not known */
};

void account_begin(struct account *account);
void account_said(struct account *account, const char *message, size_t length);
/* False: it is an answer that nobody waits for. */
bool account_heard(struct account *account, const char *message, size_t length);
/* The id of a request that waits; NULL: none does. */
const char *account_open(const struct account *account);
void account_free(struct account *account);

/* --- play.c */

struct item {
	struct text text;
	size_t head, head_length; /* of HTTP */
};

struct automatic {
	struct host_end *end;
	struct text method, result;
};

/* What one end has got, in items. */
struct hearing {
	size_t split, next_event, next;
	struct item *items;
	size_t count;
	bool http;
	struct http_reading reading;
	struct text fields;
	uint32_t tried;
	struct account account; /* of a client that is not of HTTP */
};

struct play {
	const struct scene *scene;
	struct host host;
	struct hearing hearings[HOST_ENDS];
	struct holes holes;
	struct automatic *automatics;
	size_t automatic_count;
	struct text command, token;
	unsigned dialect;
	bool show, begun, lame; /* the latter: something was refused, nothing is judged any more */
	size_t logged, recorded;
	int failed_line;
	struct text failure;
};

bool play_scene(struct play *play);
void play_free(struct play *play);

#endif
