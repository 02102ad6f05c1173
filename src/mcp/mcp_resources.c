/* SPDX-License-Identifier: MIT
 * Resources: URI templates, lists, reading. */
#include "../../include/quash/mcp_resources.h"

#include "../json/rom.h"
#include "mcp_inner.h"
#include "mcp_uri.h"

/* --- URI templates */

/* A variable of a template, without its braces. */
struct variable {
	const char *name;
	size_t length;
	bool any; /* its value may have slashes */
	char stop;
};

/* Returns the rest of the pattern after the closing brace. NULL: there is no such brace. */
static const char *read_variable(const char *pattern, struct variable *v)
{
	v->any = quash_rom(pattern) == '+';
	v->name = pattern + (v->any ? 1 : 0);
	v->length = 0;
	while (quash_rom(&v->name[v->length]) != '\0' && quash_rom(&v->name[v->length]) != '}')
		v->length++;
	if (quash_rom(&v->name[v->length]) == '\0')
		return NULL;
	v->stop = quash_rom(&v->name[v->length + 1]);
	return &v->name[v->length + 1];
}

static bool is_named(const struct variable *v, const char *name)
{
	size_t i = 0;
	while (i < v->length && quash_rom(&name[i]) == quash_rom(&v->name[i]))
		i++;
	return i == v->length && quash_rom(&name[i]) == '\0';
}

static size_t length_of_value(const struct variable *v, const char *uri, size_t length)
{
	size_t n = 0;
	while (n < length && uri[n] != '\0' && uri[n] != v->stop && (v->any || uri[n] != '/'))
		n++;
	return n;
}

bool quash_mcp_fits(
	const char *pattern, const char *uri, size_t length, const char *name, struct quash_mcp_span *value)
{
	size_t at = 0;
	while (quash_rom(pattern) != '\0') {
		struct variable v;
		if (quash_rom(pattern) != '{') {
			if (at == length || uri[at++] != quash_rom(pattern++))
				return false;
			continue;
		}
		pattern = read_variable(pattern + 1, &v);
		const size_t n = pattern != NULL ? length_of_value(&v, &uri[at], length - at) : 0;
		if (n == 0)
			return false;
		if (name != NULL && is_named(&v, name)) {
			value->text = &uri[at];
			value->length = n;
		}
		at += n;
	}
	return at == length;
}

static const quash_mcp_resources *resources_of(const quash_request *request)
{
	const void *const part = quash_mcp_part_of(quash_mcp_server_of(request), &quash_mcp_resources_kind);
	return part;
}

/* --- The part */

static void offer_resources(quash_writer *w, const quash_mcp_server *server)
{
	quash_mcp_put_capability(w, server, "resources", QUASH_MCP_RESOURCES_CHANGE);
	if (server->watches != NULL) {
		quash_put_key(w, "subscribe");
		quash_put_bool(w, true);
	}
	quash_put_end(w);
}

static const quash_mcp_resource *find_listed(const quash_mcp_resources *r, quash_value uri)
{
	for (uint8_t i = 0; i < r->count; i++) {
		if (quash_is(uri, r->list[i].uri))
			return &r->list[i];
	}
	return NULL;
}

static const quash_mcp_resource *find_template(const quash_mcp_resources *r, quash_value uri)
{
	for (uint8_t i = 0; i < r->template_count; i++) {
		if (quash_mcp_fits(r->templates[i].uri, quash_text(uri), quash_length(uri), NULL, NULL))
			return &r->templates[i];
	}
	return NULL;
}

static bool holds_resource(const quash_mcp_part *part, quash_value uri)
{
	const quash_mcp_resources *const r = (const void *)part;
	return find_listed(r, uri) != NULL || find_template(r, uri) != NULL;
}

static bool knows_resource(const quash_mcp_part *part, quash_value ref)
{
	const quash_mcp_resources *const r = (const void *)part;
	const quash_value uri = quash_member(ref, "uri");
	if (!quash_is(quash_member(ref, "type"), "ref/resource"))
		return false;
	for (uint8_t i = 0; i < r->template_count; i++) {
		if (quash_is(uri, r->templates[i].uri))
			return true;
	}
	return holds_resource(part, uri);
}

static bool has_uri(const quash_mcp_resource *resource)
{
	return resource->uri != NULL && !quash_same_text(resource->uri, "");
}

/* The wrong member, or NULL. */
static const char *wrong_resource_member(const quash_mcp_resource *list, uint8_t index)
{
	const quash_mcp_resource *const resource = &list[index];
	if (!has_uri(resource) || quash_is_listed(resource->uri, list, sizeof *list, index))
		return "uri";
	if (resource->name == NULL)
		return "name";
	return resource->read == NULL ? "read"
		: quash_mcp_wrong_marks(resource->marks, resource->deadline, resource->end != NULL);
}

static bool check_list(const quash_mcp_server *server, const quash_mcp_resource *list, uint8_t count,
	const quash_config *config, quash_fault *fault)
{
	fault->table = "resources";
	if (!quash_check_member(fault, "resources", NULL, list == NULL && count > 0 ? "list" : NULL))
		return false;
	for (uint8_t i = 0; i < count; i++) {
		fault->name = list[i].uri;
		if (quash_check_member(fault, "resources", fault->name, wrong_resource_member(list, i)) &&
			quash_mcp_check_room(server, config, list[i].state_size, fault))
			continue;
		fault->index = i;
		return false;
	}
	return true;
}

static bool check_resources(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	const quash_mcp_resources *const r = (const void *)part;
	return check_list(server, r->list, r->count, config, fault) &&
		check_list(server, r->templates, r->template_count, config, fault);
}

static const quash_keep resource_keeps[] = { { "uri", 0, false } };

const struct quash_mcp_kind quash_mcp_resources_kind = { .machine = &quash_mcp_machine,
	.handler = quash_mcp_resources_list_,
	.caller = quash_mcp_resources_read_,
	.end = quash_mcp_resources_end_,
	.entries = "QUASH_MCP_RESOURCES",
	.offer = offer_resources,
	.knows = knows_resource,
	.holds = holds_resource,
	.check = check_resources,
	.keeps = resource_keeps,
	.keep_count = sizeof resource_keeps / sizeof resource_keeps[0] };

/* --- resources/list, resources/templates/list */

static void put_resource(quash_writer *w, const quash_mcp_resource *r, const char *key)
{
	quash_put_object(w);
	quash_put_member(w, key, r->uri);
	quash_put_member(w, "name", r->name);
	quash_put_optional(w, "title", r->title);
	quash_put_optional(w, "description", r->description);
	quash_put_optional(w, "mimeType", r->mime_type);
	if (r->size != 0) {
		quash_put_key(w, "size");
		quash_put_uint(w, r->size);
	}
	quash_put_end(w);
}

static void put_listed(quash_writer *w, const quash_request *request, uint8_t index)
{
	put_resource(w, &resources_of(request)->list[index], "uri");
}

static void put_template(quash_writer *w, const quash_request *request, uint8_t index)
{
	put_resource(w, &resources_of(request)->templates[index], "uriTemplate");
}

static bool put_resource_list(quash_writer *w, const quash_request *request, uint16_t index)
{
	return quash_mcp_put_page(w, request, index, "resources", put_listed);
}

static bool put_template_list(quash_writer *w, const quash_request *request, uint16_t index)
{
	return quash_mcp_put_page(w, request, index, "resourceTemplates", put_template);
}

int32_t quash_mcp_resources_list_(quash_request *request)
{
	const quash_mcp_resources *const r = resources_of(request);
	return r != NULL ? quash_mcp_reply_page(request, r->count, put_resource_list) : QUASH_METHOD_NOT_FOUND;
}

int32_t quash_mcp_templates_list_(quash_request *request)
{
	const quash_mcp_resources *const r = resources_of(request);
	return r != NULL ? quash_mcp_reply_page(request, r->template_count, put_template_list)
			 : QUASH_METHOD_NOT_FOUND;
}

/* --- resources/read */

const quash_mcp_resource *quash_mcp_resource_of(const quash_request *request)
{
	return quash_mcp_target_of(request, quash_mcp_resources_read_);
}

const char *quash_mcp_uri(const quash_request *request)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	const quash_value uri = quash_argument(request, "uri");
	if (quash_value_kind(&uri) == QUASH_STRING)
		return quash_text(uri);
	return resource != NULL ? resource->uri : "";
}

/* Quotes the URI of the params as it came, even with a NUL in it, unless the params are released. */
static bool put_missing(quash_writer *w, const quash_request *request, uint16_t index)
{
	if (index == 0) {
		quash_mcp_put_error(w, request, "Resource not found");
		quash_put_key(w, "uri");
	}
	if (quash_mcp_put_named(w, request, index))
		return true;
	if (index == 0)
		quash_put_text(w, quash_mcp_uri(request));
	return index == 0;
}

int32_t quash_mcp_no_resource(quash_request *request)
{
	const int32_t code = quash_mcp_is_modern(request) ? QUASH_INVALID_PARAMS : QUASH_MCP_NO_RESOURCE;
	const quash_value uri = quash_argument(request, "uri");
	return quash_mcp_fail_naming(request, code, &uri, put_missing);
}

/* The first call. False: the request is refused, and its answer recorded. */
static bool begin_read(quash_request *request, const quash_mcp_resources *r)
{
	const quash_value uri = quash_argument(request, "uri");
	if (!quash_mcp_open(request))
		return false;
	const quash_mcp_resource *const listed = find_listed(r, uri);
	const quash_mcp_resource *const found = listed != NULL ? listed : find_template(r, uri);
	if (quash_value_kind(&uri) != QUASH_STRING)
		(void)quash_fail(request, QUASH_INVALID_PARAMS, "uri must be a string");
	else if (found == NULL)
		(void)quash_mcp_no_resource(request);
	else if (quash_mcp_state(request, found->state_size) == NULL)
		return quash_mcp_no_room(request);
	else
		quash_mcp_begin_target(request, found, found->deadline);
	if (quash_mcp_resource_of(request) == NULL)
		return false;
	if (listed != NULL)
		quash_mcp_slot_of(request)->call.marks |= MCP_COPIED;
	return true;
}

int32_t quash_mcp_resources_read_(quash_request *request)
{
	const quash_mcp_resources *const r = resources_of(request);
	if (r == NULL)
		return QUASH_METHOD_NOT_FOUND;
	if (quash_mcp_resource_of(request) == NULL && !begin_read(request, r))
		return QUASH_DONE;
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	return quash_mcp_run(request, resource->read, resource->end != NULL, resource->marks);
}

int32_t quash_mcp_resources_end_(quash_request *request)
{
	const quash_mcp_resource *const resource = quash_mcp_called_of(request, quash_mcp_resources_read_);
	return resource != NULL && resource->end != NULL ? resource->end(request) : QUASH_DONE;
}

void quash_mcp_resources_released_(quash_request *request)
{
	const quash_mcp_resource *const resource = quash_mcp_called_of(request, quash_mcp_resources_read_);
	if (resource != NULL && resource->released != NULL)
		resource->released(request);
}
