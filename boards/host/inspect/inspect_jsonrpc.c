/* SPDX-License-Identifier: MIT
 * JSON-RPC without a protocol over it: any request, without a greeting. */
#include "inspect_call.h"
#include "inspect_protocol.h"

#include "quash.h"

/* Of the methods whose names JSON-RPC keeps for itself it is the known one. Whoever has none answers with an error, which is an answer.
 * For the doctor alone: else nothing is sent that nobody has asked for. */
static bool jsonrpc_greet_device(struct link *link)
{
	static quash_call call = { .method = "rpc.discover" };
	const bool ended = link_await(link, &call, link_patience(link));
	const quash_outcome outcome = quash_call_outcome(&call);
	if (!ended || (outcome != QUASH_CALL_RESULT && outcome != QUASH_CALL_ERROR))
		return false;
	return outcome == QUASH_CALL_RESULT || diagnosis_of_code(quash_call_code(&call)) != DIAGNOSIS_TOO_SMALL;
}

static int jsonrpc_converse(struct link *link)
{
	static const struct conduct plain = { 0 };
	return run_method(link, &plain);
}

const struct inspect_protocol inspect_jsonrpc = {
	.name = "jsonrpc",
	.dialect = &quash_jsonrpc,
	.shows_notes = true,
	.converse = jsonrpc_converse,
	.greet = jsonrpc_greet_device,
};
