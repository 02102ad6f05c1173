/* SPDX-License-Identifier: MIT */
#include "profile_words.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MODERN \
	"\"_meta\":{%j\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/" \
	"clientCapabilities\":{}," \
	"\"progressToken\":%t}"
#define RELATED "\"experimental\":{\"quash/related\":{}}"
#define CLIENT "\"clientInfo\":{\"name\":\"fuzz\",\"version\":\"1\"}"

/* --- MCP: the toolbox and the gallery */

static const struct phrase mcp_phrases[] = {
	{ "initialize", "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"sampling\":{},\"elicitation\":{},\"roots\":{}}," CLIENT "}",
		true },
	{ "initialize", "{\"protocolVersion\":%w,\"capabilities\":%v," CLIENT "}", true },
	{ "ping", "%v", true },
	{ "server/discover", "{" MODERN "}", true },
	{ "tools/list", "{}", true },
	{ "tools/list", "{\"cursor\":%w," MODERN "}", true },
	{ "tools/call",
		"{\"name\":%w,\"arguments\":{\"text\":%s,\"ms\":%i,\"steps\":%i,\"on\":%v,\"uri\":%w}}", true },
	{ "tools/call", "{\"name\":%w,\"arguments\":{\"ms\":%i,\"steps\":%i,\"uri\":%w},\"_meta\":{%j\"progressToken\":%t}}",
		true },
	{ "tools/call", "{\"name\":%w,\"arguments\":%v," MODERN "}", true },
	{ "tools/call", "{\"name\":%w}", true },
	{ "resources/list", "{\"cursor\":%v}", true },
	{ "resources/templates/list", "{}", true },
	{ "resources/read", "{\"uri\":%w,\"_meta\":{%j\"progressToken\":%t}}", true },
	{ "resources/read", "{\"uri\":%s}", true },
	{ "resources/subscribe", "{\"uri\":%w}", true },
	{ "resources/unsubscribe", "{\"uri\":%w}", true },
	{ "prompts/list", "{\"cursor\":%w}", true },
	{ "prompts/get",
		"{\"name\":%w,\"arguments\":{\"name\":%s,\"mood\":%w},\"_meta\":{%j\"progressToken\":%t}}", true },
	{ "prompts/get", "{\"name\":%w,\"arguments\":%v}", true },
	{ "completion/complete",
		"{\"ref\":{\"type\":\"ref/prompt\",\"name\":%w},\"argument\":{\"name\":%w,\"value\":%s}}",
		true },
	{ "completion/complete", "{\"ref\":{\"type\":\"ref/resource\",\"uri\":%w},\"argument\":{\"name\":%w,\"value\":%s},\"context\":%v}",
		true },
	{ "logging/setLevel", "{\"level\":%w}", true },
	{ "subscriptions/listen",
		"{\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":%v,"
		"\"resourceSubscriptions\":[%w,%w]}," MODERN "}",
		true },
	{ "subscriptions/listen", "{\"notifications\":%v}", true },
	{ "notifications/initialized", "{}", false },
	{ "notifications/cancelled", "{\"requestId\":%t,\"reason\":%s}", false },
	{ "notifications/cancelled", "{\"requestId\":%t}", false },
	{ "notifications/roots/list_changed", "%v", false },
	{ "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"sampling\":{},\"elicitation\":{},\"roots\":{}," RELATED "}," CLIENT "}",
		true },
	{ "tools/call", "{\"name\":\"slow\",\"arguments\":{\"ms\":%i},\"_meta\":{%j\"progressToken\":%t}}", true },
	{ "tools/call", "{\"name\":\"stepper\",\"arguments\":{\"steps\":%i},\"_meta\":{%j\"progressToken\":%t}}", true },
	{ "tools/call", "{\"name\":\"stepper\",\"arguments\":{\"steps\":%i}," MODERN "}", true },
	{ "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":%s,\"_meta\":%v}}", true },
	{ "tools/call", "{\"name\":\"touch\",\"arguments\":{\"sessionId\":%v,\"uri\":%w,\"toolCallId\":%s}}", true },
	{ "tools/call", "{\"name\":\"elicit\",\"arguments\":{\"toolCallId\":%v}}", true },
	{ "tools/call", "{\"name\":%w,\"arguments\":{\"sessionId\":%v,%s:%v,\"Ms\":%i}}", true },
	{ "tools/call", "{\"name\":%w,\"_meta\":{%j\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
		"\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{}},\"io.modelcontextprotocol/logLevel\":%w,\"quash/related\":%v}}", true },
};

static const char *const mcp_names[] = { "\"echo\"", "\"slow\"", "\"stepper\"", "\"stats\"", "\"led\"",
	"\"log\"", "\"sample\"", "\"elicit\"", "\"roots\"", "\"touch\"", "\"change\"", "\"hang_up\"",
	"\"gallery://text\"", "\"gallery://bytes\"", "\"gallery://counts\"", "\"gallery://wait\"",
	"\"gallery://late\"", "\"gallery://rooms/attic/temperature\"",
	"\"gallery://rooms/%C3%A9%2F/temperature\"", "\"gallery://rooms/{name}/temperature\"", "\"greet\"",
	"\"hello\"", "\"wait\"", "\"name\"", "\"mood\"", "\"glad\"", "\"debug\"", "\"emergency\"",
	"\"2025-11-25\"", "\"2024-11-05\"", "\"3\"", "\"hidden\"" };

const struct vocabulary mcp_words = { mcp_phrases, COUNT(mcp_phrases), mcp_names, COUNT(mcp_names),
	"{\"jsonrpc\":\"2.0\",\"id\":\"open\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
	"\"2025-06-18\","
	"\"capabilities\":{\"sampling\":{},\"elicitation\":{},\"roots\":{}}," CLIENT "}}" };

/* --- ACP: the agent. Its first session is `s1`. */

static const struct phrase acp_phrases[] = {
	{ "initialize", "{\"protocolVersion\":1,\"clientCapabilities\":{\"fs\":{\"readTextFile\":true,\"writeTextFile\":true},\"terminal\":true}}",
		true },
	{ "initialize", "{\"protocolVersion\":%v,\"clientCapabilities\":{\"fs\":%v,\"terminal\":%v}}", true },
	{ "authenticate", "{\"methodId\":%s}", true },
	{ "session/new", "{\"cwd\":\"/\",\"mcpServers\":[]}", true },
	{ "session/new", "{\"cwd\":%s,\"mcpServers\":%v}", true },
	{ "session/prompt", "{\"sessionId\":%w,\"prompt\":[{\"type\":\"text\",\"text\":%w},{\"type\":\"text\",\"text\":%w}]}",
		true },
	{ "session/prompt", "{\"sessionId\":%w,\"prompt\":[{\"type\":\"text\",\"text\":%s},{\"type\":\"resource_link\",\"name\":%s,\"uri\":%s}]}",
		true },
	{ "session/prompt", "{\"sessionId\":%w,\"prompt\":%v}", true },
	{ "session/set_mode", "{\"sessionId\":%w,\"modeId\":%w}", true },
	{ "session/close", "{\"sessionId\":%w}", true },
	{ "session/cancel", "{\"sessionId\":%w}", false },
	{ "session/cancel", "%v", false },
	{ "$/cancel_request", "{\"requestId\":%t}", false },
};

static const char *const acp_names[] = { "\"s1\"", "\"s1\"", "\"s1\"", "\"s2\"", "\"s3\"", "\"think plan\"",
	"\"permission\"", "\"mode tool\"", "\"slow\"", "\"read /a.txt\"", "\"write /b\"",
	"\"run make permission\"", "\"run\"", "\"ask\"", "\"act\"",
	"\"think plan permission mode tool read /a write /b run c slow\"" };

const struct vocabulary acp_words = {
	acp_phrases, COUNT(acp_phrases), acp_names, COUNT(acp_names),
	"{\"jsonrpc\":\"2.0\",\"id\":\"open\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":1,"
	"\"clientCapabilities\":{\"fs\":{\"readTextFile\":true,\"writeTextFile\":true},\"terminal\":true}}}"
};

/* --- LSP: the langserver */

static const struct phrase lsp_phrases[] = {
	{ "initialize", "{\"processId\":null,\"rootUri\":null,\"capabilities\":{\"window\":{\"workDoneProgress\":true}}}",
		true },
	{ "initialize", "{\"processId\":%v,\"capabilities\":%v,\"workDoneToken\":%t}", true },
	{ "initialized", "{}", false },
	{ "test/echo", "%v", true },
	{ "test/echo", "[%s,%v,{\"a\":%v}]", true },
	{ "test/slow", "{\"ms\":%i}", true },
	{ "test/slow", "{\"ms\":%i,\"workDoneToken\":%t,\"partialResultToken\":%t}", true },
	{ "test/slow", "{\"ms\":%i,\"partialResultToken\":%t}", true },
	{ "textDocument/hover", "{\"textDocument\":{\"uri\":%s},\"position\":{\"line\":%i,\"character\":%i}}",
		true },
	{ "textDocument/didOpen", "{\"textDocument\":%v}", false },
	{ "window/workDoneProgress/cancel", "{\"token\":%t}", false },
	{ "window/workDoneProgress/cancel", "{\"token\":%w}", false },
	{ "$/cancelRequest", "{\"id\":%t}", false },
	{ "$/setTrace", "{\"value\":%s}", false },
	{ "shutdown", "%v", true },
	{ "exit", "null", false },
};

static const char *const lsp_names[] = { "\"quash-00000001\"", "\"quash-00000002\"", "\"quash\"" };

const struct vocabulary lsp_words = { lsp_phrases, COUNT(lsp_phrases), lsp_names, COUNT(lsp_names),
	"{\"jsonrpc\":\"2.0\",\"id\":\"open\",\"method\":\"initialize\",\"params\":{\"processId\":null,"
	"\"rootUri\":null,"
	"\"capabilities\":{\"window\":{\"workDoneProgress\":true}}}}" };
