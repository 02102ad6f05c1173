/* SPDX-License-Identifier: MIT */
#include "inspect_finding.h"

#include "host_escape.h"
#include "inspect_advise.h"
#include "quash.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- What is found, in words */

static void add_formatted(struct examination *e, const char *format, va_list arguments)
{
	const size_t length = strlen(e->found);
	vsnprintf(e->found + length, sizeof e->found - length, format, arguments);
}

void examination_find(struct examination *e, enum diagnosis diagnosis, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	e->diagnosis = diagnosis;
	e->found[0] = '\0';
	add_formatted(e, format, arguments);
	va_end(arguments);
}

void examination_add(struct examination *e, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	add_formatted(e, format, arguments);
	va_end(arguments);
}

static void add_text(struct examination *e, const char *text, size_t n)
{
	const size_t length = strlen(e->found);
	escape_write(e->found + length, sizeof e->found - length, ESCAPE_LINE, text, n);
}

static void add_scalar(struct examination *e, quash_value value)
{
	switch (quash_kind_of(value)) {
	case QUASH_STRING:
	case QUASH_NUMBER: add_text(e, quash_text(value), quash_length(value)); break;
	case QUASH_TRUE: examination_add(e, "true"); break;
	case QUASH_FALSE: examination_add(e, "false"); break;
	case QUASH_NULL: examination_add(e, "null"); break;
	default: examination_add(e, "..."); break;
	}
}

void examination_add_value(struct examination *e, quash_value value)
{
	quash_value cursor = { 0 }, key, member;
	const char *comma = "";
	if (quash_kind_of(value) != QUASH_OBJECT) {
		add_scalar(e, value);
		return;
	}
	for (; quash_next(value, &cursor, &key, &member); comma = ", ") {
		examination_add(e, "%s", comma);
		add_scalar(e, key);
		examination_add(e, " ");
		add_scalar(e, member);
	}
}

/* --- Calls without a result */

static void find_error(struct examination *e, const struct link *link, const quash_call *call)
{
	const quash_value error = quash_call_answer(call), data = quash_get(error, "data");
	const bool greets = strcmp(call->method, "initialize") == 0 || strcmp(call->method, "server/discover") == 0;
	const enum diagnosis diagnosis = diagnosis_of_code(advise_code_of(call));
	if (diagnosis == DIAGNOSIS_TOO_SMALL)
		advise_observer.refused(link->options, call);
	examination_find(e, diagnosis == DIAGNOSIS_OTHER_PROTOCOL && !greets ? DIAGNOSIS_REFUSED : diagnosis, "%s is answered with ", call->method);
	examination_add_value(e, quash_get(error, "code"));
	examination_add(e, ": ");
	examination_add_value(e, quash_get(error, "message"));
	if (quash_kind_of(data) == QUASH_NONE)
		return;
	examination_add(e, ": ");
	examination_add_value(e, data);
}

static void add_patience(struct examination *e, const quash_call *call)
{
	examination_add(e, "; no answer to %s in %u ms", call->method, (unsigned)call->deadline);
}

/* The last answer that came is none of this request. */
static void find_id(struct examination *e, const struct symptoms *s, const quash_call *call)
{
	examination_find(e, DIAGNOSIS_WRONG_ID, "an answer has ");
	examination_add(e, s->id_length > 0 ? "the id " : "no id");
	add_text(e, s->id, s->id_length);
	examination_add(e, ", and what was asked has %lu", (unsigned long)call->id);
}

/* What passed on the line shows more than that nothing has answered. */
static void find_silence(struct examination *e, const struct link *link, const quash_call *call)
{
	char words[SYMPTOMS_WORDS];
	const enum diagnosis diagnosis = tap_diagnosis(&link->tap, words);
	const bool strays = quash_counters_of(&link->peer)->stray_responses > 0 && link->tap.stray == 0;
	if (diagnosis == DIAGNOSIS_NONE && (link->tap.symptoms.odd_id || strays))
		find_id(e, &link->tap.symptoms, call);
	else if (diagnosis == DIAGNOSIS_NONE)
		examination_find(e, link->tap.stray > 0 ? DIAGNOSIS_UNREADABLE : DIAGNOSIS_NO_ANSWER, "other messages came");
	else
		examination_find(e, diagnosis, "%s", words);
	add_patience(e, call);
	if (link->tap.stray == 0)
		return;
	examination_add(e, "; it could not read what it got: ");
	add_text(e, link->tap.stray_error, link->tap.stray);
}

/* Who hangs up has perhaps written why. */
static void find_loss(struct examination *e, const struct link *link, const quash_call *call)
{
	char words[SYMPTOMS_WORDS];
	const enum diagnosis diagnosis = tap_diagnosis(&link->tap, words);
	if (diagnosis == DIAGNOSIS_OTHER_PROGRAM || diagnosis == DIAGNOSIS_NO_LINE_END)
		examination_find(e, diagnosis, "%s; and it closed the line", words);
	else
		examination_find(e, DIAGNOSIS_LOST, "it closed the line, and no answer to %s came", call->method);
}

/* A result: its version is none that we speak. */
static void find_version(struct examination *e, const quash_call *call)
{
	const quash_value version = quash_get(quash_call_answer(call), "protocolVersion");
	examination_find(e, DIAGNOSIS_OTHER_PROTOCOL, "the answer to %s has ", call->method);
	examination_add(e, quash_kind_of(version) == QUASH_NONE ? "no version that quash-inspect speaks" : "the version ");
	if (quash_kind_of(version) != QUASH_NONE)
		examination_add_value(e, version);
}

void examination_of_failure(struct examination *e, struct link *link)
{
	const quash_call *const call = link->asked;
	switch (quash_call_outcome(call)) {
	case QUASH_CALL_RESULT: find_version(e, call); break;
	case QUASH_CALL_ERROR: find_error(e, link, call); break;
	case QUASH_CALL_OVERDUE: find_silence(e, link, call); break;
	case QUASH_CALL_LINK: find_loss(e, link, call); break;
	case QUASH_CALL_OPEN:
	case QUASH_CALL_CANCELLED: e->code = EXIT_CANCELLED; break;
	default: examination_find(e, DIAGNOSIS_OTHER_PROTOCOL, "what comes as the answer to %s is none", call->method); break;
	}
}
