/* SPDX-License-Identifier: MIT */
#include "inspect_call.h"

#include "inspect_show.h"
#include "inspect_signals.h"

/* What is measured from the cancel on. */
struct since_cancel {
	uint32_t at;
	uint32_t progress;
	uint32_t late;
};

/* --- Results */

int show_whole(quash_value result)
{
	show_json(result);
	show_line_end();
	return EXIT_RESULT;
}

static int show_result(struct link *link, const struct conduct *conduct, quash_value result)
{
	int code = EXIT_RESULT;
	if (link->observer != NULL)
		return link->observer->take(result);
	if (conduct->show != NULL && !link->options->json)
		code = conduct->show(link, result);
	else
		show_json(result);
	show_line_end();
	return code;
}

/* --- After a cancel that is answered */

static void report_error_after(const struct link *link, quash_value error, uint32_t ms)
{
	if (link->options->json) {
		show_json(error);
		show_line_end();
	}
	note_open();
	note_part("cancelled: answered ");
	note_value(quash_get(error, "code"));
	note_part(" after %u ms (", (unsigned)ms);
	note_value(quash_get(error, "message"));
	note_part(")");
	note_close();
}

static int report_cancelled_answer(
	struct link *link, const quash_call *call, const struct conduct *conduct, uint32_t ms)
{
	if (quash_call_outcome(call) == QUASH_CALL_RESULT) {
		note("cancelled: answered with a result after %u ms", (unsigned)ms);
		show_result(link, conduct, quash_call_answer(call));
	} else {
		report_error_after(link, quash_call_answer(call), ms);
	}
	return EXIT_CANCELLED;
}

/* --- After a cancel that is not answered */

/* Waits for `call`, for as long as the grace lasts. */
static bool probe_answered(struct link *link, quash_call *call)
{
	quash_call_start(&link->peer, call);
	while (!quash_call_has_ended(call) && !link_hurries(link))
		link_turn(link, never);
	const quash_outcome outcome = quash_call_outcome(call);
	return outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR;
}

static void listen_after_cancel(struct link *link)
{
	const uint32_t start = link_now(link);
	uint32_t passed = 0;
	while (passed < link->options->listen && !link_is_lost(link) && !link_hurries(link)) {
		link_turn(link, link->options->listen - passed);
		passed = link_now(link) - start;
	}
}

static void report_answers(uint32_t late)
{
	if (late > 0)
		note_part("cancelled: an answer came all the same, though MCP wants none (it may have "
			  "crossed the cancel)");
	else
		note_part("cancelled: no answer, as MCP demands");
}

static void report_progress(uint32_t progress, uint32_t ms)
{
	if (progress > 0)
		note_part("; %u times progress in the %u ms since", (unsigned)progress, (unsigned)ms);
	else
		note_part("; no progress in the %u ms since", (unsigned)ms);
}

/* MCP answers nothing to what is cancelled. So this reports what was seen instead, not that the work has stopped. */
static int observe_silence(struct link *link, const struct conduct *conduct, const struct since_cancel *cancel)
{
	static quash_call probe;
	probe.method = conduct->probe;
	probe.put = conduct->put_probe;
	probe.context = conduct->probe_context;
	probe.deadline = link->options->grace > 0 ? link->options->grace : 1; /* 0 would be for ever */
	const bool alive = probe_answered(link, &probe);
	const uint32_t ms = link_now(link) - cancel->at;
	const uint32_t before = alive ? link->progress : cancel->progress;
	if (alive)
		listen_after_cancel(link);
	if (link_hurries(link))
		return EXIT_CANCELLED;
	note_open();
	report_answers(quash_counters_of(&link->peer)->late_responses - cancel->late);
	if (quash_call_outcome(&probe) == QUASH_CALL_LINK)
		note_part("; the link was lost within %u ms", (unsigned)ms);
	else
		note_part("; %s %s after %u ms", conduct->probe, alive ? "answered" : "not answered either",
			(unsigned)ms);
	report_progress(link->progress - before, alive ? link->options->listen : ms);
	note_close();
	return alive ? EXIT_CANCELLED : EXIT_NO_ANSWER;
}

/* --- The request */

static void begin_cancel(
	struct link *link, quash_call *call, const struct conduct *conduct, struct since_cancel *cancel)
{
	link->cancelling = true;
	cancel->at = link_now(link);
	cancel->progress = link->progress;
	cancel->late = quash_counters_of(&link->peer)->late_responses;
	if (conduct->cancel != NULL)
		conduct->cancel(link, call);
	else
		quash_call_cancel(call);
}

static uint32_t time_left(uint32_t ms, uint32_t passed)
{
	return ms == never ? never : ms > passed ? ms - passed : 0;
}

/* Until the call has ended, or must not be waited for any longer. */
static void await(struct link *link, quash_call *call, const struct conduct *conduct, struct since_cancel *cancel)
{
	const uint32_t start = link_now(link);
	while (!quash_call_has_ended(call) && !link_hurries(link)) {
		const uint32_t now = link_now(link);
		const uint32_t left = link->cancelling ? time_left(link->options->grace, now - cancel->at)
						       : time_left(link->options->cancel_after, now - start);
		if (link->cancelling && left == 0)
			return;
		if (!link->cancelling && (left == 0 || signals_interrupts() > 0)) {
			link->spare = signals_interrupts() > 0 ? 1 : 0;
			begin_cancel(link, call, conduct, cancel);
		} else {
			link_turn(link, left);
		}
	}
	if (!link->cancelling && !quash_call_has_ended(call)) /* we end at once, the device may go on */
		begin_cancel(link, call, conduct, cancel);
}

static int conclude_call(
	struct link *link, const quash_call *call, const struct conduct *conduct, const struct since_cancel *cancel)
{
	const uint32_t ms = link_now(link) - cancel->at;
	if (link_hurries(link))
		return EXIT_CANCELLED;
	if (!link->cancelling)
		return quash_call_outcome(call) == QUASH_CALL_RESULT ? show_result(link, conduct, quash_call_answer(call)) : link_failure(link, call);
	switch (quash_call_outcome(call)) {
	case QUASH_CALL_RESULT:
	case QUASH_CALL_ERROR: return report_cancelled_answer(link, call, conduct, ms);
	case QUASH_CALL_CANCELLED: return observe_silence(link, conduct, cancel);
	case QUASH_CALL_OPEN: note("cancelled: no answer within %u ms", (unsigned)ms); return EXIT_NO_ANSWER;
	default: return link_failure(link, call);
	}
}

int run_call(struct link *link, quash_call *call, const struct conduct *conduct)
{
	struct since_cancel cancel = { 0 };
	link->asked = call;
	call->deadline = link->options->timeout;
	quash_call_start(&link->peer, call);
	await(link, call, conduct, &cancel);
	return conclude_call(link, call, conduct, &cancel);
}

static void put_params(quash_writer *w, const quash_call *call)
{
	const struct inspect_options *const options = call->context;
	quash_put_raw(w, options->params);
}

int run_method(struct link *link, const struct conduct *conduct)
{
	static quash_call call;
	call.method = link->options->method;
	call.context = link->options;
	call.put = link->options->params != NULL ? put_params : NULL;
	return run_call(link, &call, conduct);
}
