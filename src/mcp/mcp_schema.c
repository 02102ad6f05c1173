/* SPDX-License-Identifier: MIT */
#include "../../include/quash/mcp_schema.h"

#include "mcp_inner.h"

/* --- Names and words. Of a library in one file some compilers keep each literal, but no array that is not used */

static const char schema_const[] = "const", schema_one_of[] = "oneOf", schema_any_of[] = "anyOf",
	schema_enum_names[] = "enumNames";
static const char schema_least[] = "minItems", schema_header[] = "x-mcp-header", schema_extensions[] = "extensions";
static const char rule_each[] = "an array of which each is ", rule_schema[] = "what its schema says",
	part_extensions[] = "mcp_extensions";

/* --- Choices */

enum { MOST_CHOICES = 32 };

static const quash_choice *choices_of(const quash_param *param)
{
	return param->detail;
}

/* The index of the choice of that name; UINT8_MAX: there is none. */
static uint8_t find_choice(const quash_param *param, const quash_value *name)
{
	const quash_choice *const choices = choices_of(param);
	uint8_t i = 0;
	while (i < UINT8_MAX && choices[i].name != NULL && !quash_value_is(name, choices[i].name))
		i++;
	return i < UINT8_MAX && choices[i].name != NULL ? i : UINT8_MAX;
}

static uint8_t count_choices(const quash_param *param)
{
	const quash_choice *const choices = choices_of(param);
	uint8_t i = 0;
	while (i < UINT8_MAX && choices[i].name != NULL)
		i++;
	return i;
}

static void put_names(quash_writer *w, const quash_param *param)
{
	const quash_choice *const choices = choices_of(param);
	quash_put_key(w, "enum");
	quash_put_array(w);
	for (uint8_t i = 0; i < count_choices(param); i++)
		quash_put_text(w, choices[i].name);
	quash_put_end(w);
}

static void put_titled(quash_writer *w, const quash_param *param, const char *key)
{
	const quash_choice *const choices = choices_of(param);
	quash_put_key(w, key);
	quash_put_array(w);
	for (uint8_t i = 0; i < count_choices(param); i++) {
		quash_put_object(w);
		quash_put_member(w, schema_const, choices[i].name);
		quash_put_optional(w, "title", choices[i].title);
		quash_put_end(w);
	}
	quash_put_end(w);
}

static void choice_rule(quash_writer *w, const quash_param *param)
{
	const quash_choice *const choices = choices_of(param);
	quash_put_string_text(w, "one of ");
	for (uint8_t i = 0; i < count_choices(param); i++) {
		quash_put_string_text(w, i > 0 ? ", " : "");
		quash_put_string_text(w, choices[i].name);
	}
}

/* --- One of them */

static quash_param_fault read_choice(const quash_param *param, quash_value value, void *target)
{
	const bool fallback = quash_value_kind(&value) == QUASH_NONE;
	const uint8_t i = fallback ? (uint8_t)param->fallback : find_choice(param, &value);
	if (i >= count_choices(param))
		return QUASH_PARAM_WRONG;
	if (target != NULL)
		((uint8_t *)target)[param->offset] = i;
	return QUASH_PARAM_FITS;
}

static void put_choice_at(quash_writer *w, const quash_param *param, uint8_t i)
{
	if (i < count_choices(param))
		quash_put_text(w, choices_of(param)[i].name);
	else
		quash_put_null(w);
}

static void put_choice(quash_writer *w, const quash_param *param, const void *source)
{
	put_choice_at(w, param, ((const uint8_t *)source)[param->offset]);
}

static void put_choice_default(quash_writer *w, const quash_param *param)
{
	if (!param->optional)
		return;
	quash_put_key(w, "default");
	put_choice_at(w, param, (uint8_t)param->fallback);
}

static void titled_schema(quash_writer *w, const quash_param *param)
{
	quash_put_member(w, "type", "string");
	put_titled(w, param, schema_one_of);
	put_choice_default(w, param);
}

static void enum_names_schema(quash_writer *w, const quash_param *param)
{
	const quash_choice *const choices = choices_of(param);
	quash_put_member(w, "type", "string");
	put_names(w, param);
	quash_put_key(w, schema_enum_names);
	quash_put_array(w);
	for (uint8_t i = 0; i < count_choices(param); i++)
		quash_put_text(w, choices[i].title != NULL ? choices[i].title : choices[i].name);
	quash_put_end(w);
	put_choice_default(w, param);
}

const quash_param_type quash_param_titled = { read_choice, titled_schema, put_choice, choice_rule,
	QUASH_PARAM_NEEDS_DETAIL };
const quash_param_type quash_param_enum_names = { read_choice, enum_names_schema, put_choice, choice_rule,
	QUASH_PARAM_NEEDS_DETAIL };

/* --- Several of them */

static uint8_t count_bits(uint32_t bits)
{
	uint8_t count = 0;
	for (; bits != 0; bits &= bits - 1)
		count++;
	return count;
}

/* False: it has something else. One that stands twice counts once. */
static bool read_bits(const quash_param *param, const quash_value *value, uint32_t *bits)
{
	quash_value cursor = { NULL, 0, 0 }, element;
	if (quash_value_kind(value) != QUASH_ARRAY)
		return false;
	while (quash_next(*value, &cursor, NULL, &element)) {
		const uint8_t i = find_choice(param, &element);
		if (i >= MOST_CHOICES)
			return false;
		*bits |= (uint32_t)1 << i;
	}
	return true;
}

static quash_param_fault read_choices(const quash_param *param, quash_value value, void *target)
{
	const bool fallback = quash_value_kind(&value) == QUASH_NONE;
	uint32_t bits = fallback ? (uint32_t)param->fallback : 0;
	if (!fallback && !read_bits(param, &value, &bits))
		return QUASH_PARAM_WRONG;
	const int32_t count = count_bits(bits);
	if (!fallback && (count < param->min || count > param->max))
		return QUASH_PARAM_WRONG;
	if (target != NULL)
		*(uint32_t *)(void *)((uint8_t *)target + param->offset) = bits;
	return QUASH_PARAM_FITS;
}

static void put_bits(quash_writer *w, const quash_param *param, uint32_t bits)
{
	quash_put_array(w);
	for (uint8_t i = 0; i < count_choices(param) && i < MOST_CHOICES; i++) {
		if ((bits >> i & 1) != 0)
			quash_put_text(w, choices_of(param)[i].name);
	}
	quash_put_end(w);
}

static void put_choices(quash_writer *w, const quash_param *param, const void *source)
{
	put_bits(w, param, *(const uint32_t *)(const void *)((const uint8_t *)source + param->offset));
}

static void choices_schema(quash_writer *w, const quash_param *param)
{
	quash_put_member(w, "type", "array");
	quash_put_key(w, schema_least);
	quash_put_int(w, param->min);
	quash_put_key(w, "maxItems");
	quash_put_int(w, param->max);
	quash_put_key(w, "items");
	quash_put_object(w);
	if (choices_of(param)->title != NULL) {
		put_titled(w, param, schema_any_of);
	} else {
		quash_put_member(w, "type", "string");
		put_names(w, param);
	}
	quash_put_end(w);
	if (!param->optional)
		return;
	quash_put_key(w, "default");
	put_bits(w, param, (uint32_t)param->fallback);
}

static void choices_rule(quash_writer *w, const quash_param *param)
{
	quash_put_string_text(w, rule_each);
	choice_rule(w, param);
}

const quash_param_type quash_param_choices = { read_choices, choices_schema, put_choices, choices_rule,
	QUASH_PARAM_NEEDS_DETAIL };

/* --- In a field of HTTP too */

static const quash_param *headed_param(const quash_param *param)
{
	const quash_header_param *const headed = param->detail;
	return &headed->param;
}

static quash_param_fault read_headed(const quash_param *param, quash_value value, void *target)
{
	const quash_param_type *const inner = headed_param(param)->type;
	return inner != &quash_param_header ? inner->read(headed_param(param), value, target) : QUASH_PARAM_WRONG;
}

static void headed_schema(quash_writer *w, const quash_param *param)
{
	const quash_header_param *const headed = param->detail;
	const quash_param_type *const inner = headed->param.type;
	inner->schema(w, &headed->param);
	quash_put_optional(w, "description", headed->param.description);
	quash_put_member(w, schema_header, headed->header);
}

static void put_headed(quash_writer *w, const quash_param *param, const void *source)
{
	const quash_param_type *const inner = headed_param(param)->type;
	if (inner->put != NULL)
		inner->put(w, headed_param(param), source);
	else
		quash_put_null(w);
}

static void headed_rule(quash_writer *w, const quash_param *param)
{
	const quash_param_type *const inner = headed_param(param)->type;
	inner->rule(w, headed_param(param));
}

const quash_param_type quash_param_header = { read_headed, headed_schema, put_headed, headed_rule,
	QUASH_PARAM_NEEDS_DETAIL };

/* --- As JSON */

static quash_param_fault read_json(const quash_param *param, quash_value value, void *target)
{
	(void)param;
	(void)value;
	(void)target;
	return QUASH_PARAM_FITS;
}

static void json_schema(quash_writer *w, const quash_param *param)
{
	for (const quash_schema_member *member = param->detail; member->key != NULL; member++) {
		quash_put_key(w, member->key);
		quash_put_raw(w, member->json);
	}
}

static void json_rule(quash_writer *w, const quash_param *param)
{
	(void)param;
	quash_put_string_text(w, rule_schema);
}

const quash_param_type quash_param_json = { read_json, json_schema, NULL, json_rule,
	QUASH_PARAM_IN_PARAMS | QUASH_PARAM_NEEDS_DETAIL };

/* --- Extensions */

static void offer_extensions(quash_writer *w, const quash_mcp_server *server)
{
	const quash_mcp_extensions *const extensions =
		(const quash_mcp_extensions *)(const void *)quash_mcp_part_of(server, &quash_mcp_extensions_kind);
	quash_put_key(w, schema_extensions);
	quash_put_raw(w, extensions->json);
}

static bool check_extensions(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	const quash_mcp_extensions *const extensions = (const quash_mcp_extensions *)(const void *)part;
	(void)server;
	(void)config;
	return quash_check_member(fault, part_extensions, NULL, extensions->json == NULL ? "json" : NULL);
}

const struct quash_mcp_kind quash_mcp_extensions_kind = { .machine = &quash_mcp_machine,
	.handler = quash_mcp_server_discover_,
	.entries = "QUASH_MCP_MODERN",
	.offer = offer_extensions,
	.check = check_extensions };
