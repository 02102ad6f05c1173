/* SPDX-License-Identifier: MIT */
#include "host.h"

#include "bridge_arguments.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_AT_MOST = 64, TURNS_AT_MOST = 400000 };

/* --- What the engine needs */

static void *resize(void *context, void *memory, size_t size)
{
	struct host *const host = context;
	if (size == 0) {
		host->blocks -= memory != NULL;
		free(memory);
		return NULL;
	}
	if (++host->asked == host->mode.fail) {
		host->failed = true;
		return NULL;
	}
	host->blocks += memory == NULL;
	return grow(memory, size);
}

/* The same in each play, and never twice the same in one. */
static bool give_random(void *context, void *bytes, size_t n)
{
	struct host *const host = context;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = (uint8_t)(host->random += 41);
	return true;
}

static void keep_log(void *context, enum log_level level, const char *words, size_t n, bool cut)
{
	static const char *const names[] = { [LOG_ERROR] = "error", [LOG_WARNING] = "warning", [LOG_INFO] = "info", [LOG_DEBUG] = "debug", [LOG_TRACE] = "trace" };
	struct host *const host = context;
	text_append(&host->log, names[level]);
	text_append(&host->log, " ");
	text_add(&host->log, words, n);
	text_append(&host->log, cut ? "...\n" : "\n");
}

static void keep_record(void *context, const char *device, enum record_way way, const char *words, size_t n)
{
	struct host *const host = context;
	text_printf(&host->record, "%lu %s %c", (unsigned long)(host->now - host->mode.start), device, (char)way);
	text_append(&host->record, n > 0 ? " " : "");
	text_add(&host->record, words, n);
	text_append(&host->record, "\n");
}

/* --- Ends */

static struct host_end *add_end(struct host *host, const char *name)
{
	if (host->end_count == HOST_ENDS)
		return NULL;
	struct host_end *const end = &host->ends[host->end_count++];
	memset(end, 0, sizeof *end);
	text_append(&end->name, name);
	text_clear(&end->in);
	text_clear(&end->out);
	return end;
}

struct host_end *host_end(struct host *host, const char *name)
{
	for (size_t i = 0; i < host->end_count; i++) {
		if (text_equals(&host->ends[i].name, name))
			return &host->ends[i];
	}
	return add_end(host, name);
}

static void join(struct host_end *end, struct bridge_line *line)
{
	end->line = line;
	end->due = true;
	text_clear(&end->in);
	bridge_keep(line, end);
}

static void note(struct host_end *end, bool closed)
{
	end->events = grow(end->events, (end->event_count + 1) * sizeof *end->events);
	end->events[end->event_count++] = (struct host_event){ end->out.length, closed };
}

/* --- Opening */

/* What is given stands to the end of the play: the options point to it. */
static int split(char *words, char **to)
{
	int count = 0;
	to[count++] = words;
	for (char *word = strtok(words, " "); word != NULL && count < WORDS_AT_MOST; word = strtok(NULL, " "))
		to[count++] = word;
	to[count] = NULL;
	return count;
}

/* One with a policy of its own. */
static const char page[] = "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-x'\">";

static bool read_options(struct host *host, struct text *words, char *token)
{
	static char *argv[WORDS_AT_MOST + 1];
	if (options_read(&host->options, split(words->data, argv), argv) >= 0)
		return false;
	host->options.token = token;
	host->options.page = host->options.no_page ? NULL : page;
	for (unsigned i = 0; i < host->options.device_count; i++)
		host_end(host, host->options.devices[i].name)->is_device = true;
	return true;
}

bool host_start(struct host *host, struct text *words, char *token)
{
	host->of_bridge = (struct bridge_host){ { resize, host }, host, give_random, keep_log, NULL };
	host->now = host->mode.start;
	if (!read_options(host, words, token))
		return false;
	host->of_bridge.record = host->options.record != NULL ? keep_record : NULL;
	host->bridge = bridge_new(&host->options, &host->of_bridge, host->now);
	if (host->bridge == NULL)
		return false;
	if (bridge_terminal(host->bridge) != NULL)
		join(host_end(host, "client"), bridge_terminal(host->bridge));
	return true;
}

bool host_come(struct host *host, struct host_end *end, enum bridge_way way)
{
	struct bridge_line *const line = bridge_takes(host->bridge, way) ? bridge_client(host->bridge, way) : NULL;
	if (line != NULL)
		join(end, line);
	return line != NULL;
}

static void try_device(struct host *host, struct bridge_line *line, unsigned device)
{
	struct host_end *const end = host_end(host, host->options.devices[device].name);
	end->tried++;
	if (end->state == HOST_AWAY || end->state == HOST_IN_USE) {
		bridge_failed(line, end->state == HOST_AWAY ? BRIDGE_FAILED : BRIDGE_IN_USE, end->words.data);
		return;
	}
	join(end, line);
	if (end->state == HOST_THERE)
		host_opens(host, end);
}

void host_opens(struct host *host, struct host_end *end)
{
	bridge_opened(end->line);
	host->heard(host->context, end);
}

void host_fails(struct host_end *end)
{
	bridge_failed(end->line, BRIDGE_FAILED, end->words.data);
	end->line = NULL;
}

/* --- What befalls a line */

void host_say(struct host_end *end, const char *bytes, size_t n)
{
	text_add(&end->in, bytes, n);
	end->due = true;
}

void host_ends_input(struct host_end *end, bool unread)
{
	if (end->line != NULL)
		bridge_ended(end->line, unread);
}

void host_loses(struct host_end *end, const char *words)
{
	if (end->line != NULL)
		bridge_lost(end->line, words);
	text_clear(&end->in);
}

bool host_reads(const struct host_end *end)
{
	return end->line != NULL && bridge_reads(end->line);
}

bool host_takes(struct host *host, enum bridge_way way)
{
	return bridge_takes(host->bridge, way);
}

void host_ends(struct host *host)
{
	bridge_end(host->bridge);
}

uint32_t host_idle(const struct host *host)
{
	return bridge_idle_ms(host->bridge);
}

/* --- Turns */

static bool take_out(struct host *host, struct host_end *end, bool all)
{
	size_t n;
	const uint8_t *const bytes = bridge_out(end->line, &n);
	if (n == 0 || end->stalled)
		return false;
	n = host->mode.bytes && !all ? 1 : n;
	text_add(&end->out, (const char *)bytes, n);
	bridge_sent(end->line, n);
	host->heard(host->context, end);
	return true;
}

static bool feed(struct host *host, struct host_end *end)
{
	size_t n = host->mode.bytes && end->in.length > 0 ? 1 : end->in.length;
	const size_t cut = host->mode.cut;
	if (host->fed < cut && host->fed + n > cut)
		n = cut - host->fed;
	const size_t taken = n > 0 ? bridge_feed(end->line, (const uint8_t *)end->in.data, n) : 0;
	memmove(end->in.data, end->in.data + taken, end->in.length - taken + 1);
	end->in.length -= taken;
	host->fed += taken;
	return taken > 0;
}

/* Bytes leave while the line has some, as a socket takes them; what it has refused comes again when the bridge returns it. */
static bool serve(struct host *host)
{
	bool moved = false;
	struct bridge_line *line;
	while ((line = bridge_next(host->bridge)) != NULL) {
		struct host_end *const end = bridge_kept(line);
		if (end != NULL)
			end->due = true;
	}
	for (size_t i = 0; i < host->end_count; i++) {
		struct host_end *const end = &host->ends[i];
		if (end->line == NULL || !end->due || (end->state == HOST_SLOW && end->is_device))
			continue;
		const bool left = take_out(host, end, false);
		const bool fed = end->in.length > 0 && bridge_reads(end->line) && feed(host, end);
		end->due = left || fed;
		moved = moved || end->due;
	}
	return moved;
}

static void close_end(struct host *host, struct host_end *end)
{
	while (take_out(host, end, true))
		;
	note(end, true);
	bridge_closed(end->line);
	end->line = NULL;
	text_clear(&end->in);
}

static bool obey(struct host *host)
{
	struct bridge_wish wish;
	bool any = false;
	for (; bridge_wants(host->bridge, &wish); any = true) {
		struct host_end *const end = bridge_kept(wish.line);
		if (wish.kind == BRIDGE_OPENS)
			try_device(host, wish.line, wish.device);
		else if (wish.kind == BRIDGE_CLOSES)
			close_end(host, end);
		else
			note(end, false);
	}
	return any;
}

void host_turn(struct host *host)
{
	bool moved = true;
	for (unsigned turns = 0; moved && !host->over; turns++) {
		bridge_tick(host->bridge, host->now);
		moved = obey(host);
		moved = serve(host) || moved;
		host->over = bridge_is_over(host->bridge, &host->code) && !moved;
		moved = moved || bridge_idle_ms(host->bridge) == 0;
		host->restless = host->restless || turns == TURNS_AT_MOST;
		if (host->restless)
			return;
	}
}

void host_pass(struct host *host, uint32_t ms)
{
	for (uint32_t left = ms; left > 0 && !host->over && !host->restless;) {
		const uint32_t idle = bridge_idle_ms(host->bridge), step = idle > 0 && idle < left ? idle : left;
		host->now += step;
		left -= step;
		host_turn(host);
	}
}

/* --- Its end */

void host_stop(struct host *host)
{
	if (host->bridge != NULL)
		bridge_free(host->bridge);
	host->bridge = NULL;
}

/* The words of `exec:` are an array of its reader's; those behind `--` are ours. */
static void free_commands(struct host *host)
{
	for (unsigned i = 0; host->options.many_devices && i < host->options.device_count; i++) {
		if (host->options.devices[i].options.kind == DEVICE_COMMAND)
			free(host->options.devices[i].options.command);
	}
}

void host_free(struct host *host)
{
	free_commands(host);
	for (size_t i = 0; i < host->end_count; i++) {
		text_free(&host->ends[i].name);
		text_free(&host->ends[i].words);
		text_free(&host->ends[i].in);
		text_free(&host->ends[i].out);
		free(host->ends[i].events);
	}
	text_free(&host->log);
	text_free(&host->record);
}
