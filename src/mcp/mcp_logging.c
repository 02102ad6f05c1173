/* SPDX-License-Identifier: MIT */
#include "../../include/quash/mcp_logging.h"

#include "mcp_inner.h"

#define LOG_LEVEL MCP_META "logLevel"

static const char *const level_names[] = { "debug", "info", "notice", "warning", "error", "critical", "alert",
	"emergency" };

enum { LEVELS = sizeof level_names / sizeof level_names[0] };

/* Levels count from 1. 0: the value is no level. */
static uint8_t read_level(quash_value value)
{
	for (uint8_t i = 0; i < LEVELS; i++) {
		if (quash_is(value, level_names[i]))
			return (uint8_t)(i + 1);
	}
	return 0;
}

/* --- The part */

static void offer_logging(quash_writer *w, const quash_mcp_server *server)
{
	quash_mcp_put_capability(w, server, "logging", 0);
	quash_put_end(w);
}

static bool open_logging(quash_request *request)
{
	const quash_value wanted = quash_mcp_meta(request, LOG_LEVEL);
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	slot->call.level = read_level(wanted);
	if (quash_kind_of(quash_member(quash_argument(request, "_meta"), MCP_RELATED_NAME)) == QUASH_TRUE)
		slot->call.marks |= MCP_RELATED;
	if (slot->call.level != 0 || quash_value_kind(&wanted) == QUASH_NONE)
		return true;
	(void)quash_fail(request, QUASH_INVALID_PARAMS, "_meta " LOG_LEVEL " must be a log level");
	return false;
}

static bool check_logging(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	const quash_mcp_logging *const logging = (const void *)part;
	(void)server;
	(void)config;
	return quash_check_member(fault, "logging", NULL, logging->level > QUASH_MCP_EMERGENCY ? "level" : NULL);
}

static const quash_keep logging_keeps[] = {
	{ "level", 0, false },
	{ MCP_KEPT_META("logLevel"), 0, false },
	{ MCP_KEPT_RELATED, 0, true },
	{ "_meta>" MCP_RELATED_NAME, MCP_TEXT_ON_TAPE + sizeof MCP_RELATED_NAME - 1 + TAPE_HEAD, true },
};

const struct quash_mcp_kind quash_mcp_logging_kind = { .machine = &quash_mcp_machine,
	.handler = quash_mcp_logging_set_level_,
	.entries = "QUASH_MCP_LOGGING",
	.offer = offer_logging,
	.open = open_logging,
	.begin = quash_mcp_read_related,
	.check = check_logging,
	.keeps = logging_keeps,
	.keep_count = sizeof logging_keeps / sizeof logging_keeps[0] };

int32_t quash_mcp_logging_set_level_(quash_request *request)
{
	const uint8_t level = read_level(quash_argument(request, "level"));
	if (!quash_mcp_open(request))
		return QUASH_DONE;
	if (quash_mcp_is_modern(request))
		return QUASH_METHOD_NOT_FOUND;
	if (level == 0)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Unknown log level");
	quash_mcp_server_of(request)->session->level = level;
	return quash_reply_json(request, "{}");
}

/* --- Messages */

static uint8_t session_level(const quash_mcp_server *server)
{
	const void *const part = quash_mcp_part_of(server, &quash_mcp_logging_kind);
	const quash_mcp_logging *const logging = part;
	if (server->session->version == NULL)
		return 0;
	if (server->session->level != 0 || logging == NULL)
		return server->session->level;
	return logging->level;
}

/* `request` may be NULL. */
static quash_mcp_sent send_log(quash_peer *peer, const quash_request *request, quash_mcp_level level,
	const char *logger, quash_mcp_log_data *put, const void *data)
{
	quash_writer *const w = quash_notify(peer, "notifications/message");
	quash_put_object(w);
	if (request != NULL)
		quash_mcp_put_relation(w, request);
	quash_put_member(w, "level", level_names[level - QUASH_MCP_DEBUG]);
	quash_put_optional(w, "logger", logger);
	quash_put_key(w, "data");
	put(w, data);
	return quash_mcp_send(peer);
}

static bool is_wanted(uint8_t wanted, quash_mcp_level level)
{
	return wanted != 0 && level >= wanted && level <= QUASH_MCP_EMERGENCY;
}

quash_mcp_sent quash_mcp_log_session(quash_peer *peer, const quash_mcp_server *server, quash_mcp_level level,
	const char *logger, quash_mcp_log_data *put, const void *data)
{
	if (!is_wanted(session_level(server), level))
		return QUASH_MCP_UNWANTED;
	return send_log(peer, NULL, level, logger, put, data);
}

quash_mcp_sent quash_mcp_log_json(quash_request *request, quash_mcp_level level, const char *logger,
	quash_mcp_log_data *put, const void *data)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL || !quash_may_report(request))
		return QUASH_MCP_UNWANTED;
	const uint8_t wanted = quash_mcp_is_modern(request) ? slot->call.level
							    : session_level(quash_mcp_server_of(request));
	quash_mcp_relate(request);
	if (!is_wanted(wanted, level))
		return QUASH_MCP_UNWANTED;
	return send_log(quash_peer_of(request), request, level, logger, put, data);
}

void quash_mcp_put_log_text(quash_writer *w, const void *data)
{
	quash_put_text(w, data);
}

quash_mcp_sent quash_mcp_log(quash_request *request, quash_mcp_level level, const char *logger, const char *text)
{
	return quash_mcp_log_json(request, level, logger, quash_mcp_put_log_text, text);
}
