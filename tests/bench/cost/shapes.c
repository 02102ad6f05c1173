/* SPDX-License-Identifier: MIT */
#include "shapes.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

#define CALL(method) "{'jsonrpc':'2.0','id':1,'method':'" method "','params':"
#define REQUEST(method) "{'jsonrpc':'2.0','id':#,'method':'" method "'}\n"

const struct cost_shape cost_shapes[] = {
	/* Params of one message. */
	{ "arrays to the limit", CALL("ok") "[", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]],", NULL, "0]}\n", false },
	{ "objects to the limit", CALL("ok") "[", "{'a':{'a':{'a':{'a':{'a':{'a':{'a':{'a':{'a':{'a':{'a':{}}}}}}}}}}}},", NULL, "0]}\n", false },
	{ "arrays past the limit", CALL("ok"), "[", "]", "}\n", false },
	{ "objects past the limit", CALL("ok"), "{'a':", "}", "}\n", false },
	{ "a depth that stays open", CALL("ok"), "[", NULL, "\n", false },
	{ "over and over too deep", CALL("ok") "[", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],", NULL, "0]}\n", false },
	{ "a long string", CALL("ok") "['", "a", NULL, "']}\n", false },
	{ "short escapes", CALL("ok") "['", "\\n", NULL, "']}\n", false },
	{ "escapes in hex", CALL("ok") "['", "\\u00e9", NULL, "']}\n", false },
	{ "pairs of surrogates", CALL("ok") "['", "\\ud83d\\ude00", NULL, "']}\n", false },
	{ "high surrogates alone", CALL("ok") "['", "\\ud83d", NULL, "']}\n", false },
	{ "low surrogates alone", CALL("ok") "['", "\\ude00", NULL, "']}\n", false },
	{ "UTF-8 of two bytes", CALL("ok") "['", "\xC3\xA9", NULL, "']}\n", false },
	{ "UTF-8 of four bytes", CALL("ok") "['", "\xF0\x9F\x98\x80", NULL, "']}\n", false },
	{ "invalid UTF-8 at first", CALL("ok") "['\xFF", "a", NULL, "']}\n", false },
	{ "invalid UTF-8 at last", CALL("ok") "['", "\xC3\xA9", NULL, "\xC3']}\n", false },
	{ "many short members", CALL("ok") "{", "'a#':#,", NULL, "'z':0}}\n", false },
	{ "the same member again", CALL("ok") "{", "'a':1,", NULL, "'a':0}}\n", false },
	{ "members that nearly matter", CALL("ok") "{", "'i':1,'requestI':1,'requestIdd':1,'reaso':'a',", NULL, "'sessionI':'a'}}\n", false },
	{ "a long key", CALL("ok") "{'", "requestId", NULL, "':1}}\n", false },
	{ "literals", CALL("ok") "[", "true,false,null,", NULL, "0]}\n", false },
	{ "short numbers", CALL("ok") "[", "1,", NULL, "0]}\n", false },
	{ "a long number", CALL("ok") "[1", "9", NULL, "]}\n", false },
	{ "a long fraction", CALL("ok") "[1.", "0", NULL, "1]}\n", false },
	{ "a long exponent", CALL("ok") "[1e", "0", NULL, "1]}\n", false },
	{ "empty containers", CALL("ok") "[", "[],{},", NULL, "0]}\n", false },
	{ "empty strings", CALL("ok") "[", "'',", NULL, "0]}\n", false },
	{ "blanks in a message", CALL("ok") "[", " \t\r", NULL, "]}\n", false },
	{ "params once more", "{'jsonrpc':'2.0','id':1,'method':'ok'", ",'params':[1,2,3]", NULL, "}\n", false },
	/* Members of one envelope. */
	{ "version again", "{'id':1,'method':'ok'", ",'jsonrpc':'2.0'", NULL, "}\n", false },
	{ "id again", "{'jsonrpc':'2.0','method':'ok'", ",'id':#", NULL, "}\n", false },
	{ "method again", "{'jsonrpc':'2.0','id':1", ",'method':'ok'", NULL, "}\n", false },
	{ "result again", "{'jsonrpc':'2.0','id':1", ",'result':[1]", NULL, "}\n", false },
	{ "names that nearly match", "{'jsonrpc':'2.0','id':1,'method':'ok'", ",'jsonrp':1,'param':2,'i':3,'idd':4,'method ':5,'resul':6,'erro':7", NULL, "}\n", false },
	{ "unknown members", "{'jsonrpc':'2.0','id':1,'method':'ok'", ",'member#':[#]", NULL, "}\n", false },
	{ "a long version", "{'id':1,'method':'ok','jsonrpc':'2.0", "0", NULL, "'}\n", false },
	{ "a long id", "{'jsonrpc':'2.0','method':'ok','id':'", "a", NULL, "'}\n", false },
	{ "an id of many digits", "{'jsonrpc':'2.0','method':'ok','id':1", "0", NULL, "}\n", false },
	{ "an id of blanks and escapes", "{'jsonrpc':'2.0','method':'ok','id':'", " \\u0001", NULL, "'}\n", false },
	{ "a long method", "{'jsonrpc':'2.0','id':1,'method':'", "ok", NULL, "'}\n", false },
	{ "an answer to no call", "{'jsonrpc':'2.0','id':77,'result':['", "a", NULL, "']}\n", false },
	{ "an answer to a call", "{'jsonrpc':'2.0','id':1,'result':[", "'a',", NULL, "0]}\n", false },
	/* Many messages. */
	{ "requests", "", REQUEST("ok"), NULL, "", false },
	{ "requests with params", "", "{'jsonrpc':'2.0','id':#,'method':'ok','params':{'a':[1,2,3],'b':'text'}}\n", NULL, "", false },
	{ "requests that wait", "", REQUEST("wait"), NULL, "", false },
	{ "requests with the same id", "{'jsonrpc':'2.0','id':1,'method':'wait'}\n", "{'jsonrpc':'2.0','id':1,'method':'ok'}\n", NULL, "", false },
	{ "unknown methods", "", REQUEST("o"), NULL, "", false },
	{ "typed params", "", "{'jsonrpc':'2.0','id':#,'method':'bind','params':{'pin':1,'pin':2,'level':true,'label':'a','no':1}}\n", NULL, "", false },
	{ "typed params with many members", "{'jsonrpc':'2.0','id':1,'method':'bind','params':{", "'pin':1,'pi':2,'label':'a',", NULL, "'level':true}}\n", false },
	{ "typed params that do not fit", "{'jsonrpc':'2.0','id':1,'method':'bind','params':{'level':true,'pin':1,'label':'", "a", NULL, "'}}\n", false },
	{ "notifications", "", "{'jsonrpc':'2.0','method':'note','params':[1]}\n", NULL, "", false },
	{ "unknown notifications", "", "{'jsonrpc':'2.0','method':'not','params':[1]}\n", NULL, "", false },
	{ "cancels of nothing", "", "{'jsonrpc':'2.0','method':'$/cancelRequest','params':{'id':#}}\n"
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':#}}\n", NULL, "", false },
	{ "cancels of what runs", "", "{'jsonrpc':'2.0','id':7,'method':'wait'}\n{'jsonrpc':'2.0','method':'$/cancelRequest','params':{'id':7}}\n"
		"{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':7}}\n", NULL, "", false },
	{ "a cancel with a long reason", "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'reason':'", "why ", NULL, "','requestId':1}}\n", false },
	{ "a cancel of many ids", "{'jsonrpc':'2.0','method':'$/cancelRequest','params':{", "'id':#,", NULL, "'id':1}}\n", false },
	{ "a cancel by a long tag", "{'jsonrpc':'2.0','method':'session/cancel','params':{'sessionId':'", "a", NULL, "'}}\n", false },
	{ "answers to no call", "", "{'jsonrpc':'2.0','id':#,'result':null}\n", NULL, "", false },
	{ "answers that are none", "", "{'jsonrpc':'2.0','id':1,'result':1,'error':2}\n", NULL, "", false },
	{ "wrong envelopes", "", "{'jsonrpc':'2.0'}\n", NULL, "", false },
	{ "empty objects", "", "{}\n", NULL, "", false },
	{ "numbers as messages", "", "1\n", NULL, "", false },
	{ "half messages", "", "{'jsonrpc':'2.0','id':#,'meth\n", NULL, "", false },
	{ "broken messages", "", "{'jsonrpc'x'2.0','id':#,'method':'ok'}\n", NULL, "", false },
	{ "garbage", "", "~", NULL, "\n", false },
	{ "lines of blanks", "", "    \t\n", NULL, "", false },
	/* Batches; elsewhere arrays. */
	{ "a batch of numbers", "[", "1,", NULL, "1]\n", false },
	{ "a batch of empty objects", "[", "{},", NULL, "{}]\n", false },
	{ "a batch of arrays", "[", "[[1]],", NULL, "0]\n", false },
	{ "a batch of requests", "[", "{'jsonrpc':'2.0','id':#,'method':'ok'},", NULL, "{}]\n", false },
	{ "a batch of notifications", "[", "{'jsonrpc':'2.0','method':'note'},", NULL, "{'jsonrpc':'2.0','method':'note'}]\n", false },
	{ "a batch of cancels", "[", "{'jsonrpc':'2.0','method':'$/cancelRequest','params':{'id':#}},", NULL, "{}]\n", false },
	{ "a batch that stays open", "[", "{'jsonrpc':'2.0','id':#,'method':'ok'},", NULL, "\n", false },
	{ "batches of two", "", "[{'jsonrpc':'2.0','id':#,'method':'ok'},{'jsonrpc':'2.0','id':'a#','method':'ok'}]\n", NULL, "", false },
	{ "batches beside one that waits", "[{'jsonrpc':'2.0','id':0,'method':'wait'}]\n", "[{'jsonrpc':'2.0','id':#,'method':'ok'}]\n", NULL, "", false },
	{ "empty batches", "", "[]\n", NULL, "", false },
};
const unsigned cost_shape_count = COUNT(cost_shapes);

#define OPEN "{'jsonrpc':'2.0','id':1,'method':"

const struct cost_shape cost_mcp_shapes[] = {
	{ "sessions", "", "{'jsonrpc':'2.0','id':#,'method':'initialize','params':{'protocolVersion':'2025-06-18','capabilities':{}}}\n", NULL, "", false },
	{ "an initialize with much in it", OPEN "'initialize','params':{'protocolVersion':'2025-06-18','capabilities':{", "'roots':{'listChanged':true},", NULL, "'x':{}}}}\n", false },
	{ "tool calls", "", "{'jsonrpc':'2.0','id':#,'method':'tools/call','params':{'name':'set','arguments':{'pin':1,'level':true,'label':'a'}}}\n", NULL, "", false },
	{ "a tool call with unknown members", OPEN "'tools/call','params':{'name':'set',", "'nam':1,'argument':{},", NULL, "'arguments':{'pin':1,'level':true,'label':'a'}}}\n", false },
	{ "a tool call with arguments again", OPEN "'tools/call','params':{'name':'set'", ",'arguments':{'pin':1,'level':true,'label':'a'}", NULL, "}}\n", false },
	{ "arguments with the same keys", OPEN "'tools/call','params':{'name':'set','arguments':{", "'pin':1,'label':'a',", NULL, "'level':true}}}\n", false },
	{ "arguments with unknown keys", OPEN "'tools/call','params':{'name':'set','arguments':{", "'pi':1,'pinn':2,", NULL, "'level':true}}}\n", false },
	{ "a tool with a long name", OPEN "'tools/call','params':{'name':'", "set", NULL, "'}}\n", false },
	{ "much meta", OPEN "'tools/call','params':{'_meta':{", "'progressToke':1,'progressToken':#,", NULL, "'x':1},'name':'set','arguments':{'pin':1,'level':true,'label':'a'}}}\n", false },
	{ "meta that nobody knows", OPEN "'tools/call','params':{'_meta':{", "'a':{'_meta':{'progressToken':#}},'io.modelcontextprotocol/x':['text'],", NULL, "'x':1},'name':'set'}}\n", false },
	{ "a long name that nobody knows", OPEN "'tools/call','params':{'_meta':{'progressToken':1,'", "progressToken", NULL, "':1},'name':'set'}}\n", false },
	{ "a long progress token", OPEN "'tools/call','params':{'name':'set','_meta':{'progressToken':'", "a", NULL, "'}}}\n", false },
	{ "a progress token of many digits", OPEN "'tools/call','params':{'name':'set','_meta':{'progressToken':1", "0", NULL, "}}}\n", false },
	{ "a long cursor", OPEN "'tools/list','params':{'cursor':'", "1", NULL, "'}}\n", false },
	{ "lists of tools", "", "{'jsonrpc':'2.0','id':#,'method':'tools/list'}\n", NULL, "", false },
	{ "a resource in a template", OPEN "'resources/read','params':{'uri':'log://", "a", NULL, "'}}\n", false },
	{ "a resource that nearly fits", OPEN "'resources/read','params':{'uri':'log://", "a/", NULL, "'}}\n", false },
	{ "an unknown resource", OPEN "'resources/read','params':{'uri':'none://", "a\\n", NULL, "'}}\n", false },
	{ "an unknown resource among members", OPEN "'resources/read','params':{'uri':'none://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'", ",'a':1", NULL, "}}\n", false },
	{ "an unknown version", OPEN "'tools/list','params':{'_meta':{'io.modelcontextprotocol/protocolVersion':'", "2", NULL, "'}}}\n", false },
	{ "an unknown version behind members", OPEN "'tools/list','params':{'_meta':{", "'a':'aaaaaaaa',", NULL, "'io.modelcontextprotocol/protocolVersion':'2'}}}\n", false },
};
const unsigned cost_mcp_shape_count = COUNT(cost_mcp_shapes);

const struct cost_shape cost_raw_shapes[] = {
	{ "empty lines", "", "\n", NULL, "", true },
	{ "line ends of two bytes", "", "\r\n", NULL, "", true },
	{ "a long header", "X-Header: ", "a", NULL, "\r\n\r\n", true },
	{ "many headers", "", "X-Header: a\r\n", NULL, "\r\n", true },
	{ "headers that nearly match", "", "Content-Lengt: 1\r\n", NULL, "\r\n", true },
	{ "names of the header in a row", "", "Content-Length", NULL, "\r\n", true },
	{ "lengths over and over", "", "Content-Length: 12\r\n", NULL, "\r\n", true },
	{ "a length of many digits", "Content-Length: ", "0", NULL, "1\r\n\r\n1", true },
	{ "a length that is too long", "", "Content-Length: 99999999\r\n\r\n", NULL, "", true },
	{ "lengths that are none", "", "Content-Length: -1\r\n\r\n", NULL, "", true },
	{ "blanks in a header", "Content-Length: ", " ", NULL, "2\r\n\r\n{}", true },
	{ "bodies of nothing", "", "Content-Length: 0\r\n\r\n", NULL, "", true },
	{ "bodies without headers", "", "{'jsonrpc':'2.0','id':#,'method':'ok'}\n", NULL, "", true },
	{ "any bytes", "", "~", NULL, "", true },
	{ "line ends of all kinds", "", "\r\r\n\n", NULL, "", true },
	/* the longest shape of 64 KiB, its header included, ends before the body does */
	{ "a body that is too short", "Content-Length: 65535\r\n\r\n", " ", NULL, "", true },
};
const unsigned cost_raw_shape_count = COUNT(cost_raw_shapes);
