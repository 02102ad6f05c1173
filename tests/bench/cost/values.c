/* SPDX-License-Identifier: MIT
 * Each look at a value costs in proportion to the value's length; so does each value that is put. */
#include "served.h"
#include "shapes.h"

struct row {
	int32_t number;
	char label[16];
};

static const quash_param row_list[] = {
	QUASH_ARG_INT(struct row, number, 0, 1000, "any"),
	QUASH_ARG_TEXT_OR(struct row, label, "none", "any"),
};
static const quash_params row_params = QUASH_PARAMS(struct row, row_list);

static uint8_t text[2 * COST_MOST_BYTES];

/* --- Looks */

static void last_member(quash_value v)
{
	(void)quash_member(v, "z");
}

static void missing_member(quash_value v)
{
	(void)quash_get(v, "none.such");
}

static void far_element(quash_value v)
{
	(void)quash_get(v, "6000.0");
}

static void walk(quash_value v)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	while (quash_next(v, &cursor, &key, &value))
		(void)quash_kind_of(value);
}

static quash_value first_of(quash_value v)
{
	quash_value cursor = { NULL, 0, 0 }, key, value = cursor;
	(void)quash_next(v, &cursor, &key, &value);
	return value;
}

static void integers(quash_value v)
{
	int32_t a;
	uint32_t b;
	int64_t c;
	(void)quash_int32(first_of(v), &a);
	(void)quash_uint32(first_of(v), &b);
	(void)quash_int64(first_of(v), &c);
}

static void a_double(quash_value v)
{
	double number;
	(void)quash_double(first_of(v), &number);
}

static void texts(quash_value v)
{
	(void)quash_text(first_of(v));
	(void)quash_length(first_of(v));
	(void)quash_is(first_of(v), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
}

static void read_row(quash_value v)
{
	struct row row;
	quash_param_error error;
	(void)quash_read_params(&row_params, v, &row, &error);
}

/* --- The method that looks */

static void (*look)(quash_value v);
static uint64_t blocks;

static void put_params(quash_writer *w, const quash_request *request)
{
	const uint64_t before = cost_blocks;
	quash_put_value(w, quash_params_of(request));
	blocks += cost_blocks - before;
}

static void put_fault(quash_writer *w, const quash_request *request)
{
	const uint64_t before = cost_blocks;
	quash_put_params_error_(w, &row_params, quash_params_of(request));
	blocks += cost_blocks - before;
}

static int32_t see(quash_request *request)
{
	const uint64_t before = cost_blocks;
	look(quash_params_of(request));
	blocks += cost_blocks - before;
	return quash_reply_null(request);
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

static int32_t blame(quash_request *request)
{
	return quash_reply(request, put_fault);
}

static const quash_method methods[] = {
	{ .name = "see", .handler = see },
	{ .name = "echo", .handler = echo },
	{ .name = "blame", .handler = blame },
};
static const struct cost_setup setup = { "values", &quash_jsonrpc, methods, NULL, COST_ARENA, COST_TX, 0, 3, 1, false, false };

/* --- Values */

#define SHAPE(name, method, head, unit, tail) { name, "{'jsonrpc':'2.0','id':1,'method':'" method "','params':" head, unit, NULL, tail "}\n", false }

static const struct {
	struct cost_shape shape;
	void (*look)(quash_value v);
} rows[] = {
	{ SHAPE("the last member", "see", "{", "'a#':[#],", "'z':1}"), last_member },
	{ SHAPE("the last of many of one name", "see", "{", "'z':1,", "'z':1}"), last_member },
	{ SHAPE("no member", "see", "{", "'none':1,'no':2,", "'none':3}"), missing_member },
	{ SHAPE("no member, of long names", "see", "{'none", "none", "':1}"), missing_member },
	{ SHAPE("an element far behind", "see", "[", "[1],", "0]"), far_element },
	{ SHAPE("a walk over members", "see", "{", "'a':{},", "'z':1}"), walk },
	{ SHAPE("a walk over elements", "see", "[", "1,", "0]"), walk },
	{ SHAPE("an integer of many digits", "see", "[1", "0", "]"), integers },
	{ SHAPE("an integer with a long fraction", "see", "[1.", "0", "]"), integers },
	{ SHAPE("an integer with a long exponent", "see", "[1e", "0", "9]"), integers },
	{ SHAPE("a zero with a long fraction", "see", "[0.", "0", "e999]"), integers },
	{ SHAPE("a double of many digits", "see", "[1", "9", "]"), a_double },
	{ SHAPE("a double with a long fraction", "see", "[0.", "0", "1]"), a_double },
	{ SHAPE("a double with a long exponent", "see", "[1e-", "0", "9]"), a_double },
	{ SHAPE("a long text", "see", "['", "a", "']"), texts },
	{ SHAPE("typed params in many members", "see", "{'number':1", ",'numbe':1,'number':2", "}"), read_row },
	{ SHAPE("a typed text that is too long", "see", "{'number':1,'label':'", "a", "'}"), read_row },
	{ SHAPE("a typed number of many digits", "see", "{'number':1", "0", "}"), read_row },
	{ SHAPE("what is wrong with typed params", "blame", "{'number':1,'label':'", "a", "'}"), NULL },
	{ SHAPE("a long text that is put", "echo", "['", "a", "']"), NULL },
	{ SHAPE("escapes that are put", "echo", "['", "\\u0001\\n", "']"), NULL },
	{ SHAPE("UTF-8 that is put", "echo", "['", "\xF0\x9F\x98\x80\xC3\xA9", "']"), NULL },
	{ SHAPE("members that are put", "echo", "{", "'a':1,", "'z':0}"), NULL },
	{ SHAPE("containers that are put", "echo", "[", "[[],{}],", "0]"), NULL },
	{ SHAPE("a depth that is put", "echo", "[", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]],", "0]"), NULL },
	{ SHAPE("numbers that are put", "echo", "[", "1.5e3,", "0]"), NULL },
};

void cost_of_values(void)
{
	for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
		struct cost_point points[COST_POINTS];
		for (unsigned i = 0; i < COST_POINTS; i++) {
			const size_t n = cost_shape_text(&rows[r].shape, &quash_jsonrpc, (size_t)1024 << 2 * i, text, sizeof text);
			blocks = 0;
			look = rows[r].look;
			(void)cost_serve(&setup, text, n, n);
			points[i] = (struct cost_point){ blocks, n, n, 0 };
			if (blocks == 0)
				cost_check(false, "%s was not looked at", rows[r].shape.name);
		}
		cost_check_line(points, setup.slots, setup.name, rows[r].shape.name, points[0].n);
	}
}
