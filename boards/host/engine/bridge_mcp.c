/* SPDX-License-Identifier: MIT */
#include "bridge_mcp.h"

#include "bridge_alone.h"
#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_many.h"
#include "bridge_device.h"
#include "text.h"
#include "bridge_window.h"
#include "host_escape.h"
#include "quash.h"

#include <string.h>

enum { GREETING_MS = 3000, ERA_MS = 1500 };

/* --- What a device has said */

static void put_listed(struct builder *to, quash_value capability)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	build_text(to, "{\"listChanged\":true");
	while (quash_next(capability, &cursor, &key, &value)) {
		if (quash_is(key, "listChanged"))
			continue;
		build_char(to, ',');
		text_put_key(to, key);
		text_put(to, value);
	}
	build_char(to, '}');
}

static const char longest_name[] = "quash/longest";

static bool is_of_this_hop(quash_value key)
{
	return quash_is(key, "quash/lifeSign") || quash_is(key, longest_name);
}

/* Signs of life are this hop's affair. */
static void put_experimental(struct builder *to, quash_value experimental)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	const char *comma = "";
	build_char(to, '{');
	while (quash_next(experimental, &cursor, &key, &value)) {
		if (is_of_this_hop(key))
			continue;
		build_text(to, comma);
		comma = ",";
		text_put_key(to, key);
		text_put(to, value);
	}
	build_char(to, '}');
}

static bool is_of_this_hop_alone(quash_value experimental)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	bool any = false;
	while (quash_next(experimental, &cursor, &key, &value)) {
		if (!is_of_this_hop(key))
			return false;
		any = true;
	}
	return any;
}

/* Lists may change with the line, whatever the device announces of its own. */
static void put_capabilities(struct builder *to, quash_value capabilities)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	const char *comma = "";
	build_char(to, '{');
	while (quash_next(capabilities, &cursor, &key, &value)) {
		if (quash_is(key, "experimental") && is_of_this_hop_alone(value))
			continue;
		build_text(to, comma);
		comma = ",";
		text_put_key(to, key);
		if (quash_is(key, "tools") || quash_is(key, "prompts") || quash_is(key, "resources"))
			put_listed(to, value);
		else if (quash_is(key, "experimental"))
			put_experimental(to, value);
		else
			text_put(to, value);
	}
	build_char(to, '}');
}

/* The result of its `initialize` after the version: that is each client's. */
static char *rest_of_result(struct bridge *b, quash_value result)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	struct builder made = build_begin(&b->heap), *const to = &made;
	while (quash_next(result, &cursor, &key, &value)) {
		if (quash_is(key, "protocolVersion"))
			continue;
		build_char(to, ',');
		text_put_key(to, key);
		if (quash_is(key, "capabilities"))
			put_capabilities(to, value);
		else
			text_put(to, value);
	}
	return build_end(to);
}

/* The same for `server/discover` of the one device, which passes: members of what `path` leads to. */
static void put_shown(quash_writer *w, quash_value object, const char *const *path)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	while (quash_next(object, &cursor, &key, &value)) {
		const bool leads = *path != NULL && quash_is(key, *path) && quash_kind_of(value) == QUASH_OBJECT;
		if (*path == NULL ? is_of_this_hop(key) : leads && path[1] == NULL && is_of_this_hop_alone(value))
			continue;
		quash_put_key_value(w, key);
		if (leads)
			put_shown(w, value, path + 1);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

static void mcp_put_result(quash_writer *w, const quash_request *request, quash_value result)
{
	static const char *const path[] = { "capabilities", "experimental", NULL };
	if (strcmp(quash_method_of(request)->name, "server/discover") == 0 && quash_kind_of(result) == QUASH_OBJECT)
		put_shown(w, result, path);
	else
		quash_put_value(w, result);
}

static const quash_rewrite plain_rewrite = { NULL, NULL, mcp_put_result, MCP_HOP };

/* A call that the device should have ended is ended here, in case that it does not. */
static void note_limits(struct device *d, quash_value longest)
{
	struct bridge *const b = d->wire.bridge;
	quash_value cursor = { NULL, 0, 0 }, key, value;
	unsigned more = 0;
	for (unsigned i = 0; i < d->limit_count; i++)
		text_replace(&b->heap, &d->limits[i].tool, NULL);
	d->limit_count = 0;
	while (quash_next(longest, &cursor, &key, &value)) {
		int32_t ms = 0;
		const bool is_limit = quash_int32(value, &ms) == QUASH_NUMBER_OK && ms > 0, has_room = d->limit_count < MOST_LIMITS;
		char *const tool = is_limit && has_room ? text_copy(&b->heap, quash_text(key)) : NULL;
		if (tool != NULL)
			d->limits[d->limit_count++] = (struct limit){ tool, (uint32_t)ms };
		more += is_limit && !has_room;
	}
	if (more > 0)
		log_line(b, LOG_WARNING, "%s: %u longest times beyond the first %d are not looked after", d->wire.name, more, MOST_LIMITS);
}

static bool changes(quash_value capabilities, const char *list)
{
	return quash_kind_of(quash_member(quash_get(capabilities, list), "listChanged")) == QUASH_TRUE;
}

static void note_capabilities(struct device *d, quash_value capabilities)
{
	d->logs = quash_kind_of(quash_get(capabilities, "logging")) != QUASH_NONE;
	d->subscribes = quash_kind_of(quash_member(quash_get(capabilities, "resources"), "subscribe")) == QUASH_TRUE;
	d->changes = d->subscribes || changes(capabilities, "tools") || changes(capabilities, "prompts") || changes(capabilities, "resources");
	d->completes = quash_kind_of(quash_get(capabilities, "completions")) != QUASH_NONE;
	d->lists[LIST_TOOLS] = quash_kind_of(quash_get(capabilities, "tools")) != QUASH_NONE;
	d->lists[LIST_PROMPTS] = quash_kind_of(quash_get(capabilities, "prompts")) != QUASH_NONE;
	d->lists[LIST_RESOURCES] = quash_kind_of(quash_get(capabilities, "resources")) != QUASH_NONE;
	d->lists[LIST_TEMPLATES] = d->lists[LIST_RESOURCES];
	sign_announced(d, quash_get(capabilities, "experimental"));
	note_limits(d, quash_member(quash_get(capabilities, "experimental"), longest_name));
}

/* --- The session with a device */

/* Of clients that are not there yet. The device names the request for which it asks, and so the client. */
static const char all_capabilities[] = "{\"sampling\":{\"tools\":{}},\"elicitation\":{\"form\":{},\"url\":{}},\"roots\":{},"
	"\"experimental\":{\"quash/related\":{}}}";

static void put_initialize(quash_writer *w, const quash_call *call)
{
	struct bridge *const b = ((struct device *)call->context)->wire.bridge;
	mcp_put_greeting(w, b->listens ? all_capabilities : b->hello != NULL ? b->hello : "{}", MCP_INFO("quash-bridge"));
}

static void put_discover(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_raw(w, "{\"_meta\":{" MCP_MODERN_MEMBERS("quash-bridge") "}}");
}

static void become_ready(struct device *d, quash_value instructions)
{
	struct bridge *const b = d->wire.bridge;
	const bool first = alone_is_silent(b);
	bool given = bridge_keeps_lists(b);
	for (int kind = 0; kind < LIST_KINDS; kind++)
		given = given || d->given[kind] != 0;
	d->stale = given;
	device_end_greeting(d);
	device_ready(d);
	if (first)
		alone_over(d, instructions);
}

/* A device of both eras, or of the modern one alone, is asked what else it is. */
static void ask_discovery(struct device *d)
{
	(void)quash_call_release(&d->greeting);
	device_ask(d, &d->greeting, "server/discover", put_discover, GREETING_MS);
}

static void refused(struct device *d, quash_value error)
{
	device_refused(d, error);
	ask_discovery(d);
}

static void mcp_greeted(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	static const quash_value none = { NULL, 0, 0 };
	const quash_value result = quash_call_answer(&d->greeting);
	if (quash_kind_of(quash_get(result, "protocolVersion")) != QUASH_STRING) {
		refused(d, none);
		return;
	}
	(void)quash_notify(&d->wire.peer, "notifications/initialized");
	if (!quash_notify_send(&d->wire.peer))
		return; /* again in the next turn */
	text_replace(&b->heap, &d->greeted, rest_of_result(b, result));
	text_replace(&b->heap, &d->refused, NULL);
	device_note_name(d, mcp_info(result));
	note_capabilities(d, quash_get(result, "capabilities"));
	become_ready(d, quash_get(result, "instructions"));
}

static void discovered(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const bool known = quash_call_outcome(&d->greeting) == QUASH_CALL_RESULT;
	const quash_value result = quash_call_answer(&d->greeting);
	text_replace(&b->heap, &d->modern, known ? text_of(&b->heap, result) : NULL);
	d->modern_known = true;
	if (known && d->greeted == NULL) {
		device_note_name(d, mcp_info(result));
		note_capabilities(d, quash_get(result, "capabilities"));
	}
	become_ready(d, quash_get(result, "instructions"));
}

static void mcp_greet(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (!b->hello_known)
		return;
	if (d->greeting.method == NULL)
		device_ask(d, &d->greeting, "initialize", put_initialize, GREETING_MS);
	if (!quash_call_has_ended(&d->greeting))
		return;
	if (strcmp(d->greeting.method, "server/discover") == 0) {
		discovered(d);
		return;
	}
	switch (quash_call_outcome(&d->greeting)) {
	case QUASH_CALL_RESULT: mcp_greeted(d); break;
	case QUASH_CALL_ERROR: refused(d, quash_call_answer(&d->greeting)); break;
	default: device_unanswered(d); break;
	}
}

static void mcp_lost(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	device_end_greeting(d);
	d->level = NO_LEVEL;
	d->modern_known = false;
	texts_clear(&d->subscribed);
	mcp_fetch_stop(d);
	if (b->options.many_devices && d->was_ready)
		mcp_lists_changed(d);
}

/* For clients of several devices; a device of the legacy era alone may not answer at all. */
static void look_whether_modern(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (d->modern_known)
		return;
	if (d->greeting.method == NULL)
		device_ask(d, &d->greeting, "server/discover", put_discover, ERA_MS);
	if (!quash_call_has_ended(&d->greeting))
		return;
	text_replace(&b->heap, &d->modern, quash_call_outcome(&d->greeting) == QUASH_CALL_RESULT ? text_of(&b->heap, quash_call_answer(&d->greeting)) : NULL);
	d->modern_known = true;
	device_end_greeting(d);
}

static void mcp_tend(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (d->refused != NULL)
		return; /* it has no session */
	mcp_give(d);
	mcp_fetch(d);
	if (b->modern_wanted)
		look_whether_modern(d);
}

/* --- The session with a client */

static const char *version_for(quash_value wish)
{
	const char *const version = mcp_revision(quash_text(wish));
	return version != NULL ? version : mcp_latest();
}

static char *result_for(const quash_request *request, const char *rest)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct builder made = build_begin(&b->heap), *const to = &made;
	const char *const version = version_for(quash_get(quash_params_of(request), "protocolVersion"));
	build_text(to, "{\"protocolVersion\":");
	text_put_string(to, version, strlen(version));
	build_text(to, rest != NULL ? rest : "");
	build_char(to, '}');
	return build_end(to);
}

/* What the device has announced once is known, also while it is away. Until then the bridge answers in its place. */
static bool greeting_must_wait(struct bridge *b, const struct own *own)
{
	if (!b->options.many_devices)
		return alone_is_silent(b) && b->exit < 0 && b->now - own->begun < b->options.initialize_timeout;
	return !many_all_ready(b) && b->now - own->begun < OTHERS_MS;
}

static int32_t answer_alone(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	if (b->exit >= 0)
		return alone_refuse(request);
	char *const greeting = alone_greeting(b);
	own->granted = client_of(request)->alone = greeting != NULL;
	const int32_t outcome = forward_reply_text(request, greeting != NULL ? result_for(request, greeting) : NULL);
	heap_free(&b->heap, greeting);
	return outcome;
}

static int32_t answer_initialize(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct device *const d = b->devices[0];
	struct own *const own = wire_own(request);
	if (alone_is_silent(b))
		return answer_alone(request);
	own->granted = b->options.many_devices || d->refused == NULL;
	if (!own->granted)
		return forward_fail_text(request, text_copy(&b->heap, d->refused));
	return forward_reply_text(request, result_for(request, b->options.many_devices ? many_greeting() : d->greeted));
}

/* Its answer has left. Who is refused may try again. */
static void initialize_released(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct client *const client = client_of(request);
	const struct own *const own = wire_const_own(request);
	if (own->begins == client->begins) {
		client->opened = client->opened || own->granted;
		client->greeted = client->opened || (client->greeted && !own->passed);
	}
	forward_released(request);
	forward_wake(b);
}

static int32_t initialized(quash_request *request)
{
	client_of(request)->initialized = client_of(request)->greeted;
	return QUASH_DONE;
}

static int32_t answer_to_initialize(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct client *const client = client_of(request);
	struct own *const own = wire_own(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (!own->passed) {
		if (quash_kind_of(quash_get(quash_params_of(request), "protocolVersion")) != QUASH_STRING)
			return mcp_names_version(request) ? QUASH_METHOD_NOT_FOUND : quash_fail(request, QUASH_INVALID_PARAMS, "Missing protocolVersion");
		client->greeted = own->passed = true;
		own->begins = client->begins;
		own->begun = b->now;
		client->can = mcp_can_be_asked(quash_get(quash_params_of(request), "capabilities"));
		if (!b->hello_known)
			b->hello = text_of(&b->heap, quash_get(quash_params_of(request), "capabilities"));
		b->hello_known = true;
	}
	return greeting_must_wait(b, own) ? quash_wait(request, LOOK_AGAIN_MS) : answer_initialize(request);
}

/* --- Calls that the device should have ended */

static const struct limit *limit_of(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct own *const own = wire_const_own(request);
	if (own->device->limit_count == 0 || strcmp(quash_method_of(request)->name, "tools/call") != 0)
		return NULL;
	const quash_value name = quash_get(quash_params_of(request), "name");
	for (unsigned i = 0; i < own->device->limit_count; i++) {
		const struct limit *const limit = &own->device->limits[i];
		if (b->options.many_devices ? strcmp(limit->tool, own->name) == 0 : quash_is(name, limit->tool))
			return limit;
	}
	return NULL;
}

static uint32_t limit(const quash_request *request)
{
	const struct limit *const limit = limit_of(request);
	return limit != NULL ? limit->ms : 0;
}

static char *words_of_limit(const quash_request *request, const struct limit *limit)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const quash_value meta = quash_get(quash_params_of(request), "_meta");
	const quash_value version = quash_member(meta, "io.modelcontextprotocol/protocolVersion");
	const quash_value name = quash_get(quash_params_of(request), "name");
	struct builder made = build_begin(&b->heap), *const to = &made;
	build_text(to, quash_kind_of(version) != QUASH_NONE ? "{\"resultType\":\"complete\"," : "{");
	build_text(to, "\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"");
	escape_build(to, ESCAPE_JSON, quash_text(name), quash_length(name));
	build_text(to, ": the device has not stopped it in its longest time of ");
	build_number(to, limit->ms);
	build_text(to, " ms, so it was cancelled\"}]}");
	return build_end(to);
}

static int32_t over(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct own *const own = wire_const_own(request);
	const struct limit *const limit = limit_of(request);
	if (limit == NULL)
		return QUASH_CANCELLED; /* the device has begun a session anew, and announced something else */
	log_line(b, LOG_WARNING, "%s: %s has not ended in its longest time of %u ms: cancelled", own->device->wire.name, limit->tool,
		(unsigned)limit->ms);
	return forward_reply_text(request, words_of_limit(request, limit));
}

/* --- Lists that pass */

static void passes(quash_request *request, quash_value result)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct client *const client = client_of(request);
	struct own *const own = wire_own(request);
	const char *const method = quash_method_of(request)->name;
	const enum list_kind kind = mcp_list_of(method);
	if (strcmp(method, "resources/subscribe") == 0) {
		const char *const uri = quash_text(quash_get(quash_params_of(request), "uri"));
		(void)texts_add(&client->subscriptions, uri);
		(void)texts_add(&own->device->subscribed, uri + own->skip);
	}
	if (kind == LIST_KINDS)
		return;
	if (quash_kind_of(quash_get(quash_params_of(request), "cursor")) == QUASH_NONE)
		client->given[kind] = 0;
	client->given[kind] = text_print(&b->heap, client->given[kind], quash_get(result, mcp_lists[kind].member));
	if (quash_kind_of(quash_get(result, "nextCursor")) == QUASH_NONE)
		own->device->given[kind] = client->given[kind];
}

/* --- A Stop of everything */

/* Not what moves nothing, of which most is answered here. What nobody knows may move something. */
static bool mcp_stops(const char *method)
{
	static const char *const others[] = { "initialize", "ping", "server/discover", "subscriptions/listen", "logging/setLevel", "tools/list", "prompts/list",
		"resources/list", "resources/templates/list", "resources/subscribe", "resources/unsubscribe" };
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		if (strcmp(others[i], method) == 0)
			return false;
	}
	return true;
}

/* --- A client that begins anew */

static void client_begins_anew(quash_peer *peer)
{
	struct client *const client = (struct client *)(void *)wire_of(peer);
	client->begins++;
	client->greeted = client->opened = client->initialized = client->alone = client->lists_asked = false;
	client->level = NO_LEVEL;
	client->can = 0;
	texts_clear(&client->subscriptions);
	for (int kind = 0; kind < LIST_KINDS; kind++)
		client->given[kind] = 0;
}

/* --- Tables */

static int32_t swallow(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static int32_t mcp_ping(quash_request *request)
{
	return quash_reply_json(request, "{}");
}

static int32_t own_ping(quash_request *request)
{
	return mcp_names_version(request) ? QUASH_METHOD_NOT_FOUND : mcp_ping(request);
}

static void add_method(struct client *client, quash_method method)
{
	wire_add_methods(&client->wire, &method, 1);
}

static void mcp_client_methods(struct client *client)
{
	struct bridge *const b = client->wire.bridge;
	const uint8_t note = QUASH_NOTIFICATION;
	quash_method progress = forward_own("notifications/progress", quash_forward_progress, note);
	progress.data = &client->route;
	client->route.rewrite = client->http ? &mcp_asked_marked : &mcp_asked_rewrite;
	client->wire.config.new_session = client_begins_anew;
	quash_method greeting = forward_own("initialize", answer_to_initialize, QUASH_SESSION);
	greeting.released = initialize_released;
	add_method(client, greeting);
	add_method(client, forward_own("logging/setLevel", mcp_set_level, 0));
	add_method(client, forward_own("resources/subscribe", mcp_subscribe, 0));
	add_method(client, forward_own("resources/unsubscribe", mcp_unsubscribe, 0));
	add_method(client, forward_own("notifications/initialized", initialized, note));
	add_method(client, forward_own("notifications/roots/list_changed", b->listens ? swallow : client_note, note));
	add_method(client, progress);
	if (b->options.many_devices)
		add_method(client, forward_own("ping", own_ping, QUASH_NEVER_BUSY));
	if (b->options.many_devices)
		many_methods(client);
	else
		alone_methods(client);
}

static void mcp_device_methods(struct device *d)
{
	const quash_method answers = { .name = "ping", .handler = mcp_ping };
	const quash_method progress = { .name = "notifications/progress", .handler = device_progress, .data = &d->plain,
		.state_size = WIRE_STATE, .marks = QUASH_NOTIFICATION };
	wire_add_methods(&d->wire, &answers, 1);
	const quash_method cancelled = { .name = "notifications/cancelled", .handler = mcp_listener_cancelled,
		.state_size = WIRE_STATE, .marks = QUASH_NOTIFICATION };
	wire_add_methods(&d->wire, &progress, 1);
	wire_add_methods(&d->wire, &cancelled, 1);
	d->note.data = &d->plain;
	d->plain.rewrite = &plain_rewrite;
	d->listen.rewrite = &mcp_listen_rewrite;
	many_routes(d);
}

static void mcp_comes(struct device *d, const quash_request *note)
{
	struct bridge *const b = wire_of_request(note)->bridge;
	const char *const method = quash_method_of(note)->name;
	if (!bridge_keeps_lists(b) || !mcp_is_list_changed(method))
		return;
	d->stale = true;
	for (int kind = 0; kind < LIST_KINDS; kind++)
		d->given[kind] = 0; /* clients get this notification */
}

static void begins(const quash_request *request, uint32_t call)
{
	struct client *const client = client_of(request);
	client->modern = client->modern || mcp_is_modern(request);
	client->initialized = client->initialized || client->opened;
	mcp_note_listener(request, call);
}

const struct protocol protocol_mcp = {
	.name = "mcp",
	.call = "tools/call",
	.dialect = &quash_mcp,
	.progress = &quash_mcp_progress_form,
	.client_methods = mcp_client_methods,
	.device_methods = mcp_device_methods,
	.greet = mcp_greet,
	.tend = mcp_tend,
	.lost = mcp_lost,
	.admits = mcp_admits,
	.choose = many_choose,
	.limit = limit,
	.stops = mcp_stops,
	.absent = mcp_absent,
	.never = alone_refuse,
	.over = over,
	.begins = begins,
	.passes = passes,
	.addresses = mcp_addresses,
	.concerns = mcp_concerns,
	.early = mcp_is_early,
	.whose = mcp_whose,
	.sent = mcp_sent,
	.comes = mcp_comes,
	.put_note = mcp_put_note,
	.asked = mcp_asked,
};
