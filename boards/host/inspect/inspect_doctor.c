/* SPDX-License-Identifier: MIT */
#include "inspect_doctor.h"

#include "host_escape.h"
#include "inspect_advise.h"
#include "inspect_examine.h"
#include "inspect_protocol.h"
#include "inspect_show.h"

#include <string.h>

/* A board that prints does so each second, mostly. */
enum { STATS_MS = 2000, LISTEN_MS = 1500 };

/* --- Counters */

/* Who has none may not answer at all. */
static void ask_stats(struct link *link, struct examination *e)
{
	static quash_call call = { .method = "stats" };
	if (!link_await(link, &call, STATS_MS))
		e->code = EXIT_CANCELLED;
	else if (quash_call_outcome(&call) == QUASH_CALL_RESULT && advise_take(quash_call_answer(&call)))
		examination_add(e, "; its counters were read");
}

static void judge_counters(struct examination *e, const struct inspect_options *o)
{
	const enum advice_on on = advise_judge(o);
	if (e->diagnosis != DIAGNOSIS_NONE || on == ADVICE_NONE)
		return;
	if (on == ADVICE_ON_REQUESTS)
		examination_find(e, DIAGNOSIS_TOO_SMALL, "its counters show requests that found no room");
	else
		examination_find(e, DIAGNOSIS_NO_PROGRESS, "its counters show notifications that were dropped, such as progress");
}

/* --- The examination */

/* Behind all else that is wrong. */
static void judge_prints(struct examination *e, const char *words)
{
	char found[FINDING_TEXT];
	memcpy(found, e->found, sizeof found);
	if (e->diagnosis == DIAGNOSIS_NONE)
		examination_find(e, DIAGNOSIS_PRINTS, "%s; %s", words, found);
	else
		examination_add(e, "; %s", words);
}

/* An echo disturbs hosts, also where an answer follows it. */
static void judge_line(struct examination *e, const struct link *link)
{
	char words[SYMPTOMS_WORDS];
	if (tap_diagnosis(&link->tap, words) == DIAGNOSIS_ECHO)
		examination_find(e, DIAGNOSIS_ECHO, "%s", words);
	else if (e->code == 0 && e->diagnosis != DIAGNOSIS_GARBAGE && tap_prints(&link->tap, words))
		judge_prints(e, words);
}

static void listen_for_prints(struct link *link)
{
	const uint32_t start = link_now(link);
	uint32_t passed = 0;
	while (passed < LISTEN_MS && !link_is_lost(link) && !link_hurries(link)) {
		link_turn(link, LISTEN_MS - passed);
		passed = link_now(link) - start;
	}
}

static void examine(struct link *link, struct examination *e)
{
	const struct inspect_protocol *const protocol = link->options->protocol;
	if (!protocol->greet(link)) {
		examination_of_failure(e, link);
		return;
	}
	examination_find(e, DIAGNOSIS_NONE, "it answers");
	if (protocol == &inspect_mcp)
		mcp_examine(link, e);
	else
		ask_stats(link, e);
	if (link->options->device.kind == DEVICE_TTY && e->diagnosis == DIAGNOSIS_NONE && e->code == 0)
		listen_for_prints(link);
	if (protocol->leave != NULL)
		(void)protocol->leave(link, e->code == 0 ? EXIT_RESULT : EXIT_NO_ANSWER);
}

/* --- What is shown */

static void show_words(const char *text)
{
	show_text(text, strlen(text));
}

static void show_finding(const struct examination *e, const struct inspect_options *o)
{
	const char *const remedy = diagnosis_remedy(e->diagnosis, o->device.kind == DEVICE_TTY);
	show_words(diagnosis_name(e->diagnosis));
	show_words(": ");
	show_words(e->found);
	show_words(*remedy != '\0' ? "\nremedy: " : "\n");
	show_words(remedy);
	show_line_end();
	advise_show(o);
}

static void show_member(const char *name, const char *text)
{
	char escaped[ESCAPE_MOST * FINDING_TEXT];
	escape_write(escaped, sizeof escaped, ESCAPE_JSON, text, strlen(text));
	show_words(name);
	show_words(escaped);
	show_words("\",");
}

static void show_object(const struct examination *e, const struct inspect_options *o)
{
	show_member("{\"diagnosis\":\"", diagnosis_name(e->diagnosis));
	show_member("\"found\":\"", e->found);
	show_member("\"remedy\":\"", diagnosis_remedy(e->diagnosis, o->device.kind == DEVICE_TTY));
	advise_show(o);
	show_words("}\n");
}

static int exit_code_of(enum diagnosis diagnosis)
{
	switch (diagnosis) {
	case DIAGNOSIS_WELL: return EXIT_RESULT;
	case DIAGNOSIS_OTHER_PROTOCOL:
	case DIAGNOSIS_REFUSED: return EXIT_ERROR;
	case DIAGNOSIS_TOO_SMALL:
	case DIAGNOSIS_NO_PROGRESS:
	case DIAGNOSIS_PRINTS: return EXIT_ADVICE;
	default: return EXIT_NO_ANSWER;
	}
}

static int conclude(const struct examination *e, const struct inspect_options *o)
{
	if (e->code != 0)
		return e->code;
	if (o->json)
		show_object(e, o);
	else
		show_finding(e, o);
	return exit_code_of(e->diagnosis);
}

int run_doctor(struct inspect_options *options)
{
	static struct link link;
	struct examination examination = { .code = 0 };
	if (link_open(&link, options))
		examine(&link, &examination);
	else
		examination.code = link.exit;
	judge_counters(&examination, options);
	judge_line(&examination, &link);
	if (examination.diagnosis == DIAGNOSIS_NONE)
		examination.diagnosis = DIAGNOSIS_WELL;
	const int code = conclude(&examination, options);
	link_close(&link);
	return code;
}
