/* SPDX-License-Identifier: MIT */
#include "bridge_page.h"

#include "bridge_calls.h"
#include "bridge_forward.h"
#include "bridge_http_head.h"
#include "bridge_log.h"
#include "bridge_mcp.h"
#include "format.h"
#include "text.h"

#include <string.h>

enum { POLICY = 640, CALLS_MOST = 256, TOOL = 128 + 1 };

static bool is_method(const struct connection *c, const char *name)
{
	return strcmp(c->reader.method, name) == 0;
}

static bool is_read(const struct connection *c)
{
	return is_method(c, "GET") || is_method(c, "HEAD");
}

/* --- GET / */

/* Its own policy, which stands in it, and what of one only a field can say. A page that is wrong may do nothing. */
static void put_policy(char to[POLICY], const char *page)
{
	static const char name[] = "http-equiv=\"Content-Security-Policy\"", member[] = "content=\"", frames[] = "; frame-ancestors 'none'";
	const char *const meta = strstr(page, name), *const content = meta != NULL ? strstr(meta, member) : NULL;
	const char *const policy = content != NULL ? content + sizeof member - 1 : "";
	const size_t n = strcspn(policy, "\"\r\n");
	if (n > 0 && n + sizeof frames <= POLICY)
		format_text(to, POLICY, "%.*s%s", (int)n, policy, frames);
	else
		format_text(to, POLICY, "default-src 'none'%s", frames);
}

/* Who has shown no token stays a stranger, and gets no more than one page on a connection. */
static void answer_page(struct connection *c)
{
	struct bridge *const b = c->bridge;
	char policy[POLICY];
	if (!is_read(c)) {
		http_not_allowed(c, "GET, HEAD", "The page is asked for with GET.\n");
		return;
	}
	put_policy(policy, b->options.page);
	const char *const fields[] = { "Content-Security-Policy", policy, "X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer",
		"X-Frame-Options", "DENY", "Cache-Control", "no-cache", NULL };
	c->reader.closes = true;
	c->known = false;
	http_respond(c, 200, "text/html; charset=utf-8", b->options.page, fields);
}

/* --- What goes on */

static void answer_json(struct connection *c, const char *text)
{
	static const char *const fields[] = { "Cache-Control", "no-store", NULL };
	if (text != NULL)
		http_respond(c, 200, "application/json", text, fields);
	else
		http_give_up(c); /* there is no memory */
}

/* A call that a Stop would end; NULL: there is no more. */
static quash_request *next_call(const struct client *client, quash_live *live)
{
	while (quash_next_live(&client->wire.peer, live)) {
		const quash_method *const method = quash_method_of(live->request);
		const bool asks = method != NULL && (method->marks & QUASH_NOTIFICATION) == 0 && !live->ended;
		quash_request *const request = (quash_request *)(uintptr_t)live->request;
		if (!asks || live->cause != QUASH_NOT_CANCELLED || !wire_may_stop(&client->wire, method->name))
			continue;
		const struct own *const own = wire_own(request);
		if (!own->stopped)
			return request;
	}
	return NULL;
}

/* --- POST /stop */

static bool is_stop(const struct connection *c)
{
	return c->bridge->options.page != NULL && is_method(c, "POST") && http_path_is(&c->reader, "/stop");
}

bool page_keeps_body(const struct connection *c)
{
	return !is_stop(c);
}

static unsigned stop_client(struct client *client)
{
	unsigned count = wire_stop(&client->wire);
	quash_live live = { .request = NULL };
	quash_request *request;
	while ((request = next_call(client, &live)) != NULL) {
		struct own *const own = wire_own(request);
		own->stopped = true;
		quash_wake(request);
		count++;
	}
	return count;
}

/* Nobody is to answer what is asked for a call that has ended, whatever the device makes of its cancel. */
static void end_questions(struct device *d)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(&d->wire.peer, &live)) {
		const quash_method *const method = quash_method_of(live.request);
		const bool asks = method != NULL && (method->marks & QUASH_NOTIFICATION) == 0;
		const quash_request *const cause = asks ? mcp_cause(live.request) : NULL;
		const struct own *const own = cause != NULL ? wire_const_own(cause) : NULL;
		if (own != NULL && own->stopped)
			quash_cancel((quash_request *)(uintptr_t)live.request);
	}
}

/* Returns how many calls it ends. */
static unsigned stop_all(struct bridge *b)
{
	unsigned calls = 0, clients = 0;
	for (unsigned i = 0; i < b->client_places; i++) {
		struct client *const client = b->clients[i];
		const unsigned count = client != NULL && !client->leaving ? stop_client(client) : 0;
		calls += count;
		clients += count > 0;
	}
	for (unsigned i = 0; i < b->device_count; i++)
		end_questions(b->devices[i]);
	b->cancelled += calls;
	b->stop_count++;
	log_line(b, LOG_WARNING, FORWARD_STOPPED ": %u call%s of %u client%s", calls, calls == 1 ? "" : "s", clients, clients == 1 ? "" : "s");
	return calls;
}

static bool is_waiting(const struct connection *c)
{
	return c != NULL && c->phase == CONNECTION_WAITS && !c->hung;
}

/* What waits at a connection has its answer like all else. */
static void hand_on_waiting(struct bridge *b)
{
	for (unsigned i = 0; i < b->http.places; i++) {
		struct connection *const c = b->http.all[i];
		if (!is_waiting(c) || is_stop(c))
			continue;
		c->stopped = true;
		b->http.service->take(c);
	}
}

void page_turn(struct bridge *b)
{
	char text[64];
	if (!b->http.stops)
		return;
	b->http.stops = false;
	hand_on_waiting(b);
	const unsigned calls = stop_all(b);
	format_text(text, sizeof text, "{\"stopped\":%u,\"stops\":%u}", calls, (unsigned)b->stop_count);
	for (unsigned i = 0; i < b->http.places; i++) {
		if (is_waiting(b->http.all[i]) && is_stop(b->http.all[i]))
			answer_json(b->http.all[i], text);
	}
}

/* What other connections have brought by now belongs to what is stopped: so it waits for the end of this turn. */
static void take_stop(struct connection *c)
{
	if (is_method(c, "OPTIONS"))
		http_permit(c, "POST");
	else if (is_stop(c))
		c->bridge->http.stops = true;
	else
		http_not_allowed(c, "POST, OPTIONS", "A Stop is posted.\n");
}

/* --- GET /calls */

static const struct device *device_of_call(struct bridge *b, const struct own *own)
{
	return own->device != NULL || b->options.many_devices ? own->device : b->devices[0];
}

/* Neither arguments nor results: they are their client's. */
static void put_going_on(struct builder *to, const struct client *client, const quash_request *request)
{
	struct bridge *const b = client->wire.bridge;
	const struct own *const own = wire_const_own(request);
	const struct device *const d = device_of_call(b, own);
	const quash_value name = quash_get(quash_params_of(request), "name");
	const char *const method = quash_method_of(request)->name;
	const bool calls = strcmp(method, b->options.protocol->call) == 0 && quash_kind_of(name) == QUASH_STRING;
	char who[CALLS_WHOSE], tool[TOOL];
	calls_whose(client, quash_params_of(request), who);
	text_fit(tool, sizeof tool, calls ? quash_text(name) : method);
	text_put_named(to, "{\"client\":", who);
	text_put_named(to, ",\"tool\":", tool);
	if (d != NULL)
		text_put_named(to, ",\"device\":", d->wire.name);
	build_text(to, ",\"age_ms\":");
	build_number(to, b->now - own->started);
	build_char(to, '}');
}

/* Of very many only some: nobody reads them all. */
static void put_calls(struct builder *to, struct bridge *b)
{
	unsigned count = 0;
	build_text(to, ",\"calls\":[");
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const client = b->clients[i];
		quash_live live = { .request = NULL };
		const quash_request *request;
		while (client != NULL && !client->leaving && (request = next_call(client, &live)) != NULL) {
			if (count < CALLS_MOST) {
				build_text(to, count > 0 ? "," : "");
				put_going_on(to, client, request);
			}
			count++;
		}
	}
	build_char(to, ']');
	if (count <= CALLS_MOST)
		return;
	build_text(to, ",\"more\":");
	build_number(to, count - CALLS_MOST);
}

/* Another one when what a device lists has changed. */
static void put_device(struct builder *to, const struct device *d)
{
	uint64_t print = 0;
	char tools[24];
	for (int kind = 0; kind < LIST_KINDS; kind++)
		print = print * 31 + d->list[kind].print;
	format_text(tools, sizeof tools, "\"%08lx\"", (unsigned long)((print ^ print >> 32) & UINT32_MAX));
	many_put_device(to, d, tools);
}

static void take_calls(struct connection *c)
{
	struct bridge *const b = c->bridge;
	struct builder made = build_begin(&b->heap), *const to = &made;
	if (is_method(c, "OPTIONS")) {
		http_permit(c, "GET");
		return;
	}
	if (!is_read(c)) {
		http_not_allowed(c, "GET, HEAD, OPTIONS", "Calls are asked for with GET.\n");
		return;
	}
	build_text(to, "{\"devices\":[");
	for (unsigned i = 0; i < b->device_count; i++) {
		build_text(to, i > 0 ? "," : "");
		put_device(to, b->devices[i]);
	}
	build_char(to, ']');
	put_calls(to, b);
	build_text(to, ",\"stops\":");
	build_number(to, b->stop_count);
	build_char(to, '}');
	char *const text = build_end(to);
	answer_json(c, text);
	heap_free(&b->heap, text);
}

/* --- Which of them */

bool page_takes(struct connection *c)
{
	const port_http_reader *const head = &c->reader;
	if (c->bridge->options.page == NULL)
		return false;
	if (http_path_is(head, "/"))
		answer_page(c);
	else if (http_path_is(head, "/stop"))
		take_stop(c);
	else if (http_path_is(head, "/calls"))
		take_calls(c);
	else
		return false;
	return true;
}
