/* SPDX-License-Identifier: MIT
 * The device's clients: over the raw API of the same lwIP. */
#ifndef TESTS_LWIP_FAR_H
#define TESTS_LWIP_FAR_H

#include "net.h"
#include "quash/version.h"

enum { FAR_ROOM = 1 << 21 };

/* A client. What is received is collected in `received`, ended by NUL; what is to be sent leaves as lwIP has room. */
struct far {
	struct tcp_pcb *pcb;  /* NULL before it connects, and once the connection is over */
	bool connected;
	bool ended;           /* the device has closed */
	bool reset;
	bool reads;           /* false: its window closes */
	u16_t window;         /* of it; 0: lwIP's own */
	u16_t number;         /* its own */
	size_t withheld;      /* bytes that came while it did not read */
	size_t length, sent, size;
	char received[FAR_ROOM];
	char sending[FAR_ROOM];
};

/* Connects. It reads. */
void far_connect(struct far *f, u16_t window);

void far_send(struct far *f, const void *bytes, size_t n);

/* As a text, in which ' stands for ". */
void far_say(struct far *f, const char *text);

/* What was received since is this text, in which ' stands for ". */
#define ANSWERED(f, expected) far_answered((f), (expected), __FILE__, __LINE__)
void far_answered(struct far *f, const char *expected, const char *file, int line);

/* What was received is nobody's concern. */
void far_forget(struct far *f);

/* Gives as much as there is room for to lwIP. */
void far_push(struct far *f);

/* Begins to read again. */
void far_read(struct far *f);

/* It sends no more, but reads on. */
void far_half_close(struct far *f);

void far_close(struct far *f);
void far_reset(struct far *f);

/* Its machine loses power: nothing comes from there any more. */
void far_vanish(struct far *f);

#define INITIALIZE "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{}," \
	"'clientInfo':{'name':'far','version':'1'}}}\n"
#define CALL(id, tool, arguments) "{'jsonrpc':'2.0','id':" id ",'method':'tools/call','params':{'name':'" tool "','arguments':{" arguments "}}}\n"
#define CALL_WITH(id, tool, arguments, token) "{'jsonrpc':'2.0','id':" id ",'method':'tools/call','params':{'_meta':{" \
	"'progressToken':" token "},'name':'" tool "','arguments':{" arguments "}}}\n"
#define CANCEL(id) "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':" id "}}\n"
#define PING(id) "{'jsonrpc':'2.0','id':" id ",'method':'ping'}\n"
#define LIST(id) "{'jsonrpc':'2.0','id':" id ",'method':'tools/list'}\n"

#define RESULT(id, result) "{'jsonrpc':'2.0','id':" id ",'result':" result "}\n"
#define REFUSED(id, code, text) "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" text "'}}\n"
#define INITIALIZED RESULT("0", "{'protocolVersion':'2025-11-25','capabilities':{'tools':{},'experimental':{'quash/lifeSign':{'ms':2000},'quash/longest':{'stepper':120000}}}," \
	"'instructions':'The tools of a small device: an LED, a stepper motor and its counters.'," \
	"'serverInfo':{'name':'quash-toolbox','version':'" QUASH_VERSION "'}}")
#define TEXT(id, text) RESULT(id, "{'content':[{'type':'text','text':'" text "'}]}")
#define PONG(id) RESULT(id, "{}")
#define PROGRESS(token, done, total) "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':" token "," \
	"'progress':" done ",'total':" total "}}\n"

#endif
