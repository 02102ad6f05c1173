/* SPDX-License-Identifier: MIT
 * Tools that do not ask, and the table of all of them. */
#include "conformance.h"

enum { PAUSE_MS = 50 };

/* --- Content */

static int32_t simple_text(quash_request *request)
{
	return quash_mcp_text(request, "This is a simple text response for testing.");
}

static void put_member_text(quash_writer *w, const char *key, const char *text)
{
	quash_put_key(w, key);
	quash_put_text(w, text);
}

static void put_text_block(quash_writer *w, const char *text)
{
	quash_put_object(w);
	put_member_text(w, "type", "text");
	put_member_text(w, "text", text);
	quash_put_end(w);
}

static void put_picture(quash_writer *w)
{
	quash_put_object(w);
	put_member_text(w, "type", "image");
	quash_put_key(w, "data");
	conformance_put_png(w);
	put_member_text(w, "mimeType", "image/png");
	quash_put_end(w);
}

static void put_image(quash_writer *w, const quash_request *request)
{
	(void)request;
	put_picture(w);
}

static int32_t image(quash_request *request)
{
	return quash_mcp_content(request, false, put_image);
}

static void put_audio(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_object(w);
	put_member_text(w, "type", "audio");
	quash_put_key(w, "data");
	conformance_put_wav(w);
	put_member_text(w, "mimeType", "audio/wav");
	quash_put_end(w);
}

static int32_t audio(quash_request *request)
{
	return quash_mcp_content(request, false, put_audio);
}

static void put_resource(quash_writer *w, const char *uri, const char *type, const char *text)
{
	quash_put_object(w);
	put_member_text(w, "type", "resource");
	quash_put_key(w, "resource");
	quash_put_object(w);
	put_member_text(w, "uri", uri);
	put_member_text(w, "mimeType", type);
	put_member_text(w, "text", text);
	quash_put_end(w);
	quash_put_end(w);
}

static void put_embedded(quash_writer *w, const quash_request *request)
{
	(void)request;
	put_resource(w, "test://embedded-resource", "text/plain", "This is an embedded resource content.");
}

static int32_t embedded(quash_request *request)
{
	return quash_mcp_content(request, false, put_embedded);
}

static void put_mixed(quash_writer *w, const quash_request *request)
{
	(void)request;
	put_text_block(w, "Multiple content types test:");
	put_picture(w);
	put_resource(w, "test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}");
}

static int32_t mixed(quash_request *request)
{
	return quash_mcp_content(request, false, put_mixed);
}

static int32_t error_handling(quash_request *request)
{
	return quash_mcp_failure(request, "This tool intentionally returns an error for testing");
}

/* --- Notifications, a pause between two of them */

/* True once the pause before that step is over; the step is then the next one. */
static bool is_next(quash_request *request, struct conformance_state *s, uint32_t ms)
{
	const uint32_t now = quash_now(quash_peer_of(request));
	if (s->step > 0 && now - s->since < ms)
		return false;
	s->since = now;
	s->step++;
	return true;
}

static int32_t logging(quash_request *request)
{
	static const char *const words[] = { "Tool execution started", "Tool processing data", "Tool execution completed" };
	struct conformance_state *const s = QUASH_TOOL(struct conformance_state, request);
	if (!is_next(request, s, PAUSE_MS))
		return quash_wait(request, 1);
	if (s->step <= sizeof words / sizeof words[0])
		(void)quash_mcp_log(request, QUASH_MCP_INFO, NULL, words[s->step - 1]);
	return s->step < 3 ? quash_wait(request, 1) : quash_mcp_text(request, "logged three times");
}

static int32_t progress(quash_request *request)
{
	static const uint8_t parts[] = { 0, 50, 99 };
	struct conformance_state *const s = QUASH_TOOL(struct conformance_state, request);
	if (!is_next(request, s, PAUSE_MS))
		return quash_wait(request, 1);
	if (s->step <= sizeof parts)
		(void)quash_mcp_progress(request, parts[s->step - 1], 100, NULL);
	return s->step <= sizeof parts ? quash_wait(request, 1) : quash_mcp_text(request, "all parts are done");
}

static int32_t log_one(quash_request *request)
{
	(void)quash_mcp_log(request, QUASH_MCP_INFO, NULL, "one message");
	return quash_mcp_text(request, "logged, if that was asked for");
}

static int32_t slow(quash_request *request)
{
	struct conformance_state *const s = QUASH_TOOL(struct conformance_state, request);
	if (!is_next(request, s, 4 * PAUSE_MS) || s->step < 2)
		return quash_wait(request, 1);
	return quash_mcp_text(request, "Reconnection test completed successfully");
}

static int32_t trigger_tools(quash_request *request)
{
	(void)quash_mcp_changed(quash_peer_of(request), &conformance_server, QUASH_MCP_TOOLS_CHANGE);
	return quash_mcp_text(request, "told that the tools have changed");
}

static int32_t trigger_prompts(quash_request *request)
{
	(void)quash_mcp_changed(quash_peer_of(request), &conformance_server, QUASH_MCP_PROMPTS_CHANGE);
	return quash_mcp_text(request, "told that the prompts have changed");
}

static int32_t touch(quash_request *request)
{
	(void)quash_mcp_updated(quash_peer_of(request), &conformance_server, "test://watched-resource");
	return quash_mcp_text(request, "told that the resource has changed");
}

/* --- Schemas */

static int32_t missing_capability(quash_request *request)
{
	if (!quash_mcp_can_ask(request, QUASH_MCP_SAMPLING))
		return quash_mcp_require(request, QUASH_MCP_SAMPLING);
	return quash_mcp_text(request, "the client samples");
}

static const quash_header_param region = { QUASH_ARG_TEXT(struct conformance_state, name, "where"), "Region" };
static const quash_header_param count = { QUASH_ARG_INT_OR(struct conformance_state, age, 0, 1000, 0, "how many"), "Count" };
static const quash_header_param urgent = { QUASH_ARG_BOOL_OR(struct conformance_state, flag, false, "at once"), "Urgent" };
static const quash_param header_list[] = { QUASH_ARG_HEADER("name", &region), QUASH_ARG_HEADER_OR("age", &count),
	QUASH_ARG_HEADER_OR("flag", &urgent) };
static const quash_params header_params = QUASH_PARAMS(struct conformance_state, header_list);

static int32_t headers(quash_request *request)
{
	return quash_mcp_text(request, "fields and arguments are the same");
}

static const quash_schema_member address_members[] = { { "$ref", "\"#/$defs/address\"" }, { NULL, NULL } };
static const quash_schema_member name_members[] = { { "type", "\"string\"" }, { NULL, NULL } };
static const quash_param schema_list[] = { QUASH_ARG_JSON_OR("name", name_members, NULL),
	QUASH_ARG_JSON_OR("address", address_members, NULL) };
static const quash_params schema_params = QUASH_PARAMS_ONLY(schema_list);

static int32_t schema(quash_request *request)
{
	return quash_mcp_text(request, "it has a schema of 2020-12");
}

/* --- All tools */

static const quash_params own_state = QUASH_NO_PARAMS(struct conformance_state);
static const quash_param prompt_list[] = { QUASH_ARG_STRING("prompt", "what the model is asked") };
static const quash_params prompt_params = { prompt_list, sizeof(struct conformance_state), 1, NULL };
static const quash_param message_list[] = { QUASH_ARG_STRING("message", "what the person is asked") };
static const quash_params message_params = { message_list, sizeof(struct conformance_state), 1, NULL };

const quash_mcp_tool conformance_tools[CONFORMANCE_TOOLS] = {
	{ .name = "test_simple_text", .description = "Gives a text", .args = &own_state, .call = simple_text },
	{ .name = "test_image_content", .description = "Gives a picture", .args = &own_state, .call = image },
	{ .name = "test_audio_content", .description = "Gives a sound", .args = &own_state, .call = audio },
	{ .name = "test_embedded_resource", .description = "Gives a resource", .args = &own_state, .call = embedded },
	{ .name = "test_multiple_content_types", .description = "Gives a text, a picture and a resource", .args = &own_state, .call = mixed },
	{ .name = "test_error_handling", .description = "Fails", .args = &own_state, .call = error_handling },
	{ .name = "test_tool_with_logging", .description = "Logs three times", .args = &own_state, .call = logging },
	{ .name = "test_tool_with_progress", .description = "Tells three times how far it is", .args = &own_state, .call = progress },
	{ .name = "test_logging_tool", .description = "Logs once", .args = &own_state, .call = log_one },
	{ .name = "test_reconnection", .description = "Takes a while", .args = &own_state, .call = slow },
	{ .name = "test_trigger_tool_change", .description = "Tells that tools have changed", .args = &own_state, .call = trigger_tools },
	{ .name = "test_trigger_prompt_change", .description = "Tells that prompts have changed", .args = &own_state, .call = trigger_prompts },
	{ .name = "test_trigger_resource_update", .description = "Tells that a resource has changed", .args = &own_state, .call = touch },
	{ .name = "test_missing_capability", .description = "Needs a client that samples", .args = &own_state, .call = missing_capability },
	{ .name = "test_custom_headers", .description = "Has arguments that stand in fields of HTTP too", .args = &header_params,
	  .call = headers },
	{ .name = "json_schema_2020_12_tool", .description = "Has a schema with references", .args = &schema_params, .call = schema },
	{ .name = "test_streaming_elicitation", .description = "Asks for a name, too", .args = &own_state, .call = conformance_ask_name },
	{ .name = "test_sampling", .description = "Lets the client's model answer", .args = &prompt_params, .call = conformance_ask_sampling },
	{ .name = "test_elicitation", .description = "Asks for a name and an address", .args = &message_params,
	  .call = conformance_ask_elicitation },
	{ .name = "test_elicitation_sep1034_defaults", .description = "Asks with defaults of each kind", .args = &own_state,
	  .call = conformance_ask_defaults },
	{ .name = "test_elicitation_sep1330_enums", .description = "Asks with choices of each kind", .args = &own_state,
	  .call = conformance_ask_enums },
	{ .name = "test_input_required_result_elicitation", .description = "Asks for a name", .args = &own_state, .call = conformance_ask_name },
	{ .name = "test_input_required_result_sampling", .description = "Asks the model for a capital", .args = &own_state,
	  .call = conformance_ask_capital },
	{ .name = "test_input_required_result_list_roots", .description = "Asks for the roots", .args = &own_state,
	  .call = conformance_ask_roots },
	{ .name = "test_input_required_result_request_state", .description = "Asks whether it is right", .args = &own_state,
	  .call = conformance_ask_confirm },
	{ .name = "test_input_required_result_tampered_state", .description = "Asks the same", .args = &own_state,
	  .call = conformance_ask_confirm },
	{ .name = "test_input_required_result_multiple_inputs", .description = "Asks three things at once", .args = &own_state,
	  .call = conformance_ask_several },
	{ .name = "test_input_required_result_multi_round", .description = "Asks one thing after the other", .args = &own_state,
	  .call = conformance_ask_rounds },
	{ .name = "test_input_required_result_capabilities", .description = "Asks what the client can be asked", .args = &own_state,
	  .call = conformance_ask_what_can_be },
};
