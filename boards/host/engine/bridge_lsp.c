/* SPDX-License-Identifier: MIT
 * LSP, and JSON-RPC without a profile: everything is handed on as it is. */
#include "bridge_alone.h"
#include "bridge_forward.h"
#include "bridge_window.h"
#include "quash.h"

#include <string.h>

static void no_client_methods(struct client *client)
{
	(void)client;
}

static void no_device_methods(struct device *d)
{
	(void)d;
}

static struct client *the_client(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct client *only = NULL;
	unsigned count = 0;
	(void)request;
	for (unsigned i = 0; i < b->client_places; i++) {
		count += b->clients[i] != NULL;
		only = b->clients[i] != NULL ? b->clients[i] : only;
	}
	return count == 1 ? only : NULL;
}

static void lsp_device_methods(struct device *d)
{
	const quash_method progress = { .name = "$/progress", .handler = device_progress, .data = &d->plain,
		.state_size = WIRE_STATE, .marks = QUASH_NOTIFICATION };
	wire_add_methods(&d->wire, &progress, 1);
}

static void lsp_passes(quash_request *request, quash_value result)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const char *const method = quash_method_of(request)->name;
	const struct own *const own = forward_of(request);
	if (strcmp(method, "initialize") == 0 && own != NULL)
		sign_announced(own->device, quash_get(result, "capabilities.experimental"));
	if (strcmp(method, "shutdown") == 0)
		b->shut_down = true;
}

const struct protocol protocol_lsp = {
	.name = "lsp",
	.call = "", /* an editor asks all the time */
	.dialect = &quash_lsp,
	.progress = &quash_lsp_progress_form,
	.exits_when_lost = true,
	.one_client = true,
	.in_order = true,
	.client_methods = no_client_methods,
	.device_methods = lsp_device_methods,
	.never = alone_refuse,
	.passes = lsp_passes,
	.asked = the_client,
};

const struct protocol protocol_jsonrpc = {
	.name = "jsonrpc",
	.dialect = &quash_jsonrpc,
	.client_methods = no_client_methods,
	.device_methods = no_device_methods,
	.never = alone_refuse,
	.asked = the_client,
};
