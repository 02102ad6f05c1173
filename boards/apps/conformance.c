/* SPDX-License-Identifier: MIT
 * Resources, prompts, completion, and the server. */
#include "conformance.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- Resources */

static int32_t read_static_text(quash_request *request)
{
	return quash_mcp_read_text(request, "This is the content of the static text resource.");
}

static int32_t read_static_binary(quash_request *request)
{
	return quash_mcp_read_blob(request, conformance_png, CONFORMANCE_PNG);
}

static int32_t read_watched(quash_request *request)
{
	return quash_mcp_read_text(request, "What may change.");
}

static const quash_mcp_resource resource_list[] = {
	{ .uri = "test://static-text", .name = "Static Text Resource", .description = "A text that stays", .mime_type = "text/plain",
	  .read = read_static_text, .ttl = 1000 },
	{ .uri = "test://static-binary", .name = "Static Binary Resource", .description = "A picture that stays", .mime_type = "image/png",
	  .read = read_static_binary, .ttl = 1000 },
	{ .uri = "test://watched-resource", .name = "Watched Resource", .description = "A text that may change", .mime_type = "text/plain",
	  .read = read_watched, .ttl = 1000 },
};

/* {"id":"...","templateTest":true,"data":"Data for ID: ..."} */
static void put_data(quash_writer *w, const quash_request *request)
{
	const char *const id = QUASH_CONST_TOOL(struct conformance_state, request)->name;
	size_t n = 0;
	while (id[n] != '\0')
		n++;
	quash_put_object(w);
	quash_put_key(w, "id");
	quash_put_text(w, id);
	quash_put_key(w, "templateTest");
	quash_put_bool(w, true);
	quash_put_key(w, "data");
	quash_put_string_open(w);
	quash_put_string_part(w, "Data for ID: ", 13);
	quash_put_string_part(w, id, n);
	quash_put_string_close(w);
	quash_put_end(w);
}

static int32_t read_data(quash_request *request)
{
	struct conformance_state *const s = QUASH_TOOL(struct conformance_state, request);
	if (!quash_mcp_variable(request, "id", s->name, sizeof s->name))
		return quash_mcp_no_resource(request);
	return quash_mcp_read_json(request, put_data);
}

static const quash_mcp_resource template_list[] = {
	{ .uri = "test://template/{id}/data", .name = "Template Resource", .description = "Data by a number", .mime_type = "application/json",
	  .read = read_data, .state_size = sizeof(struct conformance_state) },
};

const quash_mcp_resources conformance_resources = QUASH_MCP_RESOURCE_LISTS(resource_list, template_list);

/* --- Prompts */

static int32_t simple_prompt(quash_request *request)
{
	return quash_mcp_prompt_text(request, "This is a simple prompt for testing.");
}

static void put_argument(quash_writer *w, const quash_request *request, const char *name)
{
	const quash_value value = quash_mcp_argument(request, name);
	quash_put_string_part(w, quash_text(value), quash_length(value));
}

static void begin_text_message(quash_writer *w)
{
	quash_mcp_message(w, "user");
	quash_put_object(w);
	quash_put_key(w, "type");
	quash_put_text(w, "text");
	quash_put_key(w, "text");
}

static void put_with_arguments(quash_writer *w, const quash_request *request)
{
	begin_text_message(w);
	quash_put_string_open(w);
	quash_put_string_part(w, "Prompt with arguments: arg1='", 29);
	put_argument(w, request, "arg1");
	quash_put_string_part(w, "', arg2='", 9);
	put_argument(w, request, "arg2");
	quash_put_string_part(w, "'", 1);
	quash_put_string_close(w);
	quash_put_end(w);
	quash_put_end(w);
}

static int32_t prompt_with_arguments(quash_request *request)
{
	return quash_mcp_messages(request, put_with_arguments);
}

static void put_with_resource(quash_writer *w, const quash_request *request)
{
	quash_mcp_message(w, "user");
	quash_put_object(w);
	quash_put_key(w, "type");
	quash_put_text(w, "resource");
	quash_put_key(w, "resource");
	quash_put_object(w);
	quash_put_key(w, "uri");
	quash_put_value(w, quash_mcp_argument(request, "resourceUri"));
	quash_put_key(w, "mimeType");
	quash_put_text(w, "text/plain");
	quash_put_key(w, "text");
	quash_put_text(w, "Embedded resource content for testing.");
	quash_put_end(w);
	quash_put_end(w);
	quash_put_end(w);
	quash_mcp_put_message(w, "user", "Please process the embedded resource above.");
}

static int32_t prompt_with_resource(quash_request *request)
{
	return quash_mcp_messages(request, put_with_resource);
}

static void put_with_image(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_mcp_message(w, "user");
	quash_put_object(w);
	quash_put_key(w, "type");
	quash_put_text(w, "image");
	quash_put_key(w, "data");
	conformance_put_png(w);
	quash_put_key(w, "mimeType");
	quash_put_text(w, "image/png");
	quash_put_end(w);
	quash_put_end(w);
	quash_mcp_put_message(w, "user", "Please analyze the image above.");
}

static int32_t prompt_with_image(quash_request *request)
{
	return quash_mcp_messages(request, put_with_image);
}

static const quash_param argument_list[] = { QUASH_ARG_STRING("arg1", "First test argument"), QUASH_ARG_STRING("arg2", "Second test argument") };
static const quash_params argument_params = QUASH_PARAMS_ONLY(argument_list);
static const quash_param uri_list[] = { QUASH_ARG_STRING("resourceUri", "URI of the resource to embed") };
static const quash_params uri_params = QUASH_PARAMS_ONLY(uri_list);
static const quash_params asks_params = QUASH_NO_PARAMS(struct conformance_state);

static const quash_mcp_prompt prompt_list[] = {
	QUASH_MCP_PROMPT("test_simple_prompt", "A text", NULL, simple_prompt),
	QUASH_MCP_PROMPT("test_prompt_with_arguments", "A text with two arguments", &argument_params, prompt_with_arguments),
	QUASH_MCP_PROMPT("test_prompt_with_embedded_resource", "A resource and a text", &uri_params, prompt_with_resource),
	QUASH_MCP_PROMPT("test_prompt_with_image", "A picture and a text", NULL, prompt_with_image),
	QUASH_MCP_PROMPT("test_input_required_result_prompt", "Asks what it is about", &asks_params, conformance_ask_context),
};

const quash_mcp_prompts conformance_prompts = QUASH_MCP_PROMPT_LIST(prompt_list);

/* --- Completion */

static const char *const cities[] = { "paris", "park", "party", NULL };
static const quash_mcp_completer completers[] = { { "test_prompt_with_arguments", NULL, "arg1", cities, NULL } };
static const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(completers);

/* --- The server */

enum { TOKEN = 40, WATCHES = 4, URI = 60, ANSWERS = 512, STATE_MS = 120000, ARENA = 8192, TX = 1024 };

static const quash_mcp_logging logging_part = { { &quash_mcp_logging_kind }, QUASH_MCP_DEBUG };
static const quash_mcp_extensions extensions = { { &quash_mcp_extensions_kind }, "{\"com.example/conformance\":{}}" };

/* A test's: a device draws its own at each start. */
static const uint8_t key[QUASH_MCP_KEY] = { 0x71, 0x75, 0x61, 0x73, 0x68, 0x20, 0x63, 0x6f, 0x6e, 0x66, 0x6f, 0x72, 0x6d, 0x61, 0x6e, 0x63 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, STATE_MS, ANSWERS);

static const quash_mcp_part *const parts[] = { &conformance_resources.part, &conformance_prompts.part, &logging_part.part, &completion.part,
	&input.part, &extensions.part, NULL };

/* Beside the properties of each tool's schema. */
static void put_schema_members(quash_writer *w)
{
	quash_put_key(w, "$schema");
	quash_put_text(w, "https://json-schema.org/draft/2020-12/schema");
	quash_put_key(w, "$defs");
	quash_put_raw(w, "{\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},"
		"\"city\":{\"type\":\"string\"}}}}");
	quash_put_key(w, "additionalProperties");
	quash_put_bool(w, false);
}

static const struct quash_mcp_closed_code schema_code = { put_schema_members };

QUASH_MCP_WATCHES(watches, WATCHES, URI);
static quash_mcp_session session;

const quash_mcp_server conformance_server = { .name = "quash-conformance", .version = QUASH_VERSION, .session = &session, .tools = conformance_tools,
	.tool_count = CONFORMANCE_TOOLS, .parts = parts, .modern = &quash_mcp_modern, .watches = &watches, .ttl = 1000, .token_size = TOKEN,
	.changes = QUASH_MCP_TOOLS_CHANGE | QUASH_MCP_PROMPTS_CHANGE | QUASH_MCP_RESOURCES_CHANGE, .closed = &schema_code };

static const quash_method methods[] = { QUASH_MCP_METHODS(&conformance_server), QUASH_MCP_RESOURCES(&conformance_server),
	QUASH_MCP_PROMPTS(&conformance_server), QUASH_MCP_LOGGING(&conformance_server), QUASH_MCP_COMPLETION(&conformance_server),
	QUASH_MCP_SUBSCRIBE(&conformance_server), QUASH_MCP_LISTEN(&conformance_server) };

QUASH_STORAGE(store, 8, 64, QUASH_MCP_STATE(TOKEN, sizeof(struct conformance_state)), ARENA, TX);

const quash_config conformance_config = { QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods, .method_count = COUNT(methods),
	.check = quash_mcp_check, .new_session = quash_mcp_new_session, .calls = &quash_mcp_calls, .keeps = &quash_mcp_keeps, .faults = &quash_faults,
	.reasons = &quash_modern_reasons };

void conformance_reset(void)
{
	static const quash_mcp_session fresh;
	session = fresh;
	quash_mcp_forget_watches(&watches);
}
