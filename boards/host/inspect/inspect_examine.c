/* SPDX-License-Identifier: MIT
 * Nothing of this moves anything, but for the tool that the command line names. */
#include "inspect_examine.h"

#include "inspect_advise.h"
#include "inspect_mcp.h"
#include "quash.h"

#include <string.h>

/* The longest progress tokens that hosts send are UUIDs. */
#define SHORT_TOKEN "1"
#define LONG_TOKEN "\"10000000-1111-4222-8333-444455556666\""
enum { LONG_TOKEN_LENGTH = sizeof LONG_TOKEN - sizeof "\"\"" };

static const char stats_name[] = "stats", no_tool[] = "quash-doctor";

/* A call of a tool. */
struct visit {
	quash_call call;
	const struct inspect_options *options;
	const char *tool, *token;
};

static void put_visit(quash_writer *w, const quash_call *call)
{
	const struct visit *const visit = call->context;
	mcp_put_call(w, visit->options, visit->tool, visit->token);
}

static quash_call *visit_of(struct visit *visit, const struct link *link, const char *tool, const char *token)
{
	(void)quash_call_release(&visit->call);
	visit->options = link->options;
	visit->tool = tool;
	visit->token = token;
	visit->call.method = "tools/call";
	visit->call.put = put_visit;
	visit->call.context = visit;
	return &visit->call;
}

/* --- Its list */

static struct {
	unsigned tools;
	bool stats;
} listed;

static bool count_tools(struct link *link, quash_value result)
{
	quash_value cursor = { 0 }, tool;
	(void)link;
	for (; quash_next(quash_get(result, "tools"), &cursor, NULL, &tool); listed.tools++)
		listed.stats = listed.stats || quash_is(quash_get(tool, "name"), stats_name);
	return true;
}

/* A device may have no tools at all. */
static bool list_tools(struct link *link, struct examination *e)
{
	const bool has = mcp_each_page(link, count_tools);
	const quash_call *const call = link->asked;
	if (!has && (quash_call_outcome(call) != QUASH_CALL_ERROR || quash_call_code(call) != QUASH_METHOD_NOT_FOUND)) {
		examination_of_failure(e, link);
		return false;
	}
	examination_add(e, "; %u tool%s", listed.tools, listed.tools == 1 ? "" : "s");
	return true;
}

/* --- Its room */

/* The params of a host find room if those of a tool that is not there do: an error that names it, or a result, is well. */
static bool has_room_for_call(struct link *link, struct examination *e)
{
	static struct visit visit;
	quash_call *const call = visit_of(&visit, link, no_tool, LONG_TOKEN);
	const bool ended = link_await(link, call, link_patience(link));
	const quash_outcome outcome = quash_call_outcome(call);
	const bool refused = outcome == QUASH_CALL_ERROR && diagnosis_of_code(advise_code_of(call)) == DIAGNOSIS_TOO_SMALL;
	if (ended && !refused && (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR))
		return true;
	examination_of_failure(e, link);
	return false;
}

static bool ask_counters(struct link *link, struct examination *e)
{
	static struct visit visit;
	quash_call *const call = visit_of(&visit, link, stats_name, SHORT_TOKEN);
	if (!listed.stats)
		return true;
	(void)link_await(link, call, link_patience(link));
	if (quash_call_outcome(call) == QUASH_CALL_RESULT)
		return advise_take(quash_call_answer(call));
	examination_of_failure(e, link);
	return false;
}

/* --- Its progress */

static bool failed;

static int take_result(quash_value result)
{
	failed = quash_kind_of(quash_get(result, "isError")) == QUASH_TRUE;
	return EXIT_RESULT;
}

static void ignore_refusal(const struct inspect_options *options, const quash_call *call)
{
	(void)options;
	(void)call;
}

/* How many notifications of progress came; UINT32_MAX: there is no result of which to judge. */
static uint32_t progress_with(struct link *link, struct examination *e, const char *token)
{
	static const struct observer quiet = { .take = take_result, .refused = ignore_refusal };
	static struct visit visit;
	quash_call *const call = visit_of(&visit, link, link->options->tool, token);
	const uint32_t before = link->progress;
	link->observer = &quiet;
	const int code = run_call(link, call, mcp_conduct(link, NULL));
	link->observer = NULL;
	if (code == EXIT_RESULT && !failed)
		return link->progress - before;
	if (code == EXIT_CANCELLED)
		e->code = code;
	else if (code != EXIT_RESULT)
		examination_of_failure(e, link);
	else
		examination_find(e, DIAGNOSIS_REFUSED, "the tool answers with isError: ");
	if (code == EXIT_RESULT)
		examination_add_value(e, quash_get(quash_call_answer(call), "content.0.text"));
	return UINT32_MAX;
}

static void examine_progress(struct link *link, struct examination *e)
{
	const uint32_t count = progress_with(link, e, SHORT_TOKEN);
	if (count == UINT32_MAX)
		return;
	if (count == 0) {
		examination_find(e, DIAGNOSIS_NO_PROGRESS, "%s has answered, and no progress came: it found no room, or the tool reports none", link->options->tool);
		return;
	}
	const uint32_t again = progress_with(link, e, LONG_TOKEN);
	if (again == 0)
		examination_find(e, DIAGNOSIS_NO_PROGRESS, "for a short token progress came, for one of %d bytes none: "
			"token_size is smaller. Some hosts send such tokens, quash-bridge does not", LONG_TOKEN_LENGTH);
	else if (again != UINT32_MAX)
		examination_add(e, "; progress came %u time%s", (unsigned)count, count == 1 ? "" : "s");
}

void mcp_examine(struct link *link, struct examination *e)
{
	if (!list_tools(link, e) || !has_room_for_call(link, e))
		return;
	if (link->options->tool == NULL)
		examination_add(e, "; nothing was asked of its progress: --tool names a tool that reports some");
	else if (mcp_prepare_arguments(link))
		examine_progress(link, e);
	else
		e->code = link->exit;
	if (e->code != 0 || !ask_counters(link, e) || !listed.stats)
		return;
	if (e->diagnosis == DIAGNOSIS_NONE)
		examination_add(e, "; its counters were read");
}
