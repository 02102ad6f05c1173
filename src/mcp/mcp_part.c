/* SPDX-License-Identifier: MIT
 * What parts of a server share. Parts alone link it: mcp.c reaches it through the first part's `machine`. */
#include "../../include/quash/mcp_prompts.h"

#include "mcp_inner.h"

const quash_mcp_part *quash_mcp_part_of(const quash_mcp_server *server, const struct quash_mcp_kind *kind)
{
	const quash_mcp_part *const *part = server->parts;
	while (part != NULL && *part != NULL && (*part)->kind != kind)
		part++;
	return part != NULL ? *part : NULL;
}

void quash_mcp_put_capability(quash_writer *w, const quash_mcp_server *server, const char *name, uint8_t change)
{
	quash_put_key(w, name);
	quash_put_object(w);
	if ((server->changes & change) == 0)
		return;
	quash_put_key(w, "listChanged");
	quash_put_bool(w, true);
}

static void offer_parts(quash_writer *w, const quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	for (const quash_mcp_part *const *part = server->parts; *part != NULL; part++) {
		const struct quash_mcp_kind *const kind = (*part)->kind;
		if (kind->offer != NULL && quash_data_of(quash_config_of(quash_peer_of(request)), kind->handler) != NULL)
			kind->offer(w, server);
	}
}

static bool open_parts(quash_request *request)
{
	for (const quash_mcp_part *const *part = quash_mcp_server_of(request)->parts; *part != NULL; part++) {
		if ((*part)->kind->open != NULL && !(*part)->kind->open(request))
			return false;
	}
	return true;
}

static void begin_parts(const quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	for (const quash_mcp_part *const *part = server->parts; *part != NULL; part++) {
		if ((*part)->kind->begin != NULL)
			(*part)->kind->begin(server->session, quash_params_of(request));
	}
}

static bool is_entry(const quash_config *config, const char *name)
{
	return quash_is_listed(name, config->methods, sizeof config->methods[0], config->method_count);
}

/* What the server lacks, or the entries for what it names; or NULL. */
static const char *wrong_part_member(const quash_mcp_server *server, const quash_config *config)
{
	const bool watches = server->watches != NULL, subscribes = is_entry(config, "resources/subscribe");
	if ((server->changes & QUASH_MCP_PROMPTS_CHANGE) != 0 && !is_entry(config, "prompts/list"))
		return "QUASH_MCP_PROMPTS";
	if ((watches || (server->changes & QUASH_MCP_RESOURCES_CHANGE) != 0) && !is_entry(config, "resources/list"))
		return "QUASH_MCP_RESOURCES";
	if (!watches)
		return subscribes ? "watches" : NULL;
	return subscribes || is_entry(config, "subscriptions/listen") ? NULL : "QUASH_MCP_SUBSCRIBE";
}

static bool check_parts(const quash_mcp_server *server, const quash_config *config, quash_fault *fault)
{
	for (const quash_mcp_part *const *part = server->parts; *part != NULL; part++) {
		const struct quash_mcp_kind *const kind = (*part)->kind;
		if (kind->handler != NULL && quash_data_of(config, kind->handler) == NULL)
			return quash_check_member(fault, "server", server->name, kind->entries);
		if (kind->caller != NULL &&
			!quash_mcp_check_caller(config, kind->caller, kind->end, server, kind->entries, fault))
			return false;
		if (kind->check != NULL && !kind->check(server, *part, config, fault))
			return false;
	}
	return quash_check_member(fault, "server", server->name, wrong_part_member(server, config));
}

static bool serve_parts(const quash_mcp_server *server, const quash_config *config, const char *name)
{
	for (const quash_mcp_part *const *part = server->parts; *part != NULL; part++) {
		const quash_method *const first = quash_entry_of(config, (*part)->kind->handler);
		if (first != NULL && quash_mcp_are_of_one_part(first->name, name))
			return true;
	}
	return false;
}

static const quash_keep *keeps_of_kind(const quash_mcp_server *server, uint8_t number, uint8_t *count)
{
	static const quash_keep none[] = { { "", 0, true } };
	uint8_t i = 0;
	while (i < number && server->parts[i] != NULL)
		i++;
	if (server->parts[i] == NULL)
		return NULL;
	*count = server->parts[i]->kind->keep_count;
	return server->parts[i]->kind->keeps != NULL ? server->parts[i]->kind->keeps : none;
}

const struct quash_mcp_machine quash_mcp_machine = { offer_parts, open_parts, begin_parts, check_parts, serve_parts,
	keeps_of_kind };

/* --- Which request a message belongs to */

void quash_mcp_read_related(quash_mcp_session *session, quash_value params)
{
	const quash_value asked = quash_member(quash_get(params, "capabilities.experimental"), MCP_RELATED_NAME);
	session->client = (uint8_t)(session->client & ~(unsigned)MCP_WANTS_RELATED);
	if (quash_value_kind(&asked) == QUASH_OBJECT)
		session->client |= MCP_WANTS_RELATED;
}

void quash_mcp_relate(quash_request *request)
{
	if (!quash_mcp_is_modern(request) &&
		(quash_mcp_server_of(request)->session->client & MCP_WANTS_RELATED) != 0)
		quash_mcp_slot_of(request)->call.marks |= MCP_RELATED;
}

void quash_mcp_put_relation(quash_writer *w, const quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_const_slot_of(request);
	if (slot == NULL || (slot->call.marks & MCP_RELATED) == 0)
		return;
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_key(w, "quash/request");
	quash_put_id(w, request);
	quash_put_end(w);
}

/* --- Messages, of prompts and of sampling */

void quash_mcp_message(quash_writer *w, const char *role)
{
	quash_put_object(w);
	quash_put_member(w, "role", role);
	quash_put_key(w, "content");
}

void quash_mcp_put_message(quash_writer *w, const char *role, const char *text)
{
	quash_mcp_message(w, role);
	quash_put_object(w);
	quash_put_member(w, "type", "text");
	quash_put_member(w, "text", text);
	quash_put_end(w);
	quash_put_end(w);
}
