/* SPDX-License-Identifier: MIT
 * Typed params: one constant table names each argument of a method or tool and binds it to a field of a
 * struct. From it come the JSON Schema, the validation, and the filled struct.
 *
 *     struct move { int32_t steps; bool back; };
 *     static const quash_param move_list[] = {
 *         QUASH_ARG_INT(struct move, steps, 1, 1000, "how far"),
 *         QUASH_ARG_BOOL_OR(struct move, back, false, "to where it came from"),
 *     };
 *     static const quash_params move_params = QUASH_PARAMS(struct move, move_list);
 *
 * Binding is strict: an argument that the table does not name is refused before anything is read. Those of `ignored`
 * and `_meta` may come all the same.
 * `null` is not an absent argument. Of arguments with the same name the last one wins.
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_PARAMS_H
#define QUASH_PARAMS_H

#include "peer.h"
#ifdef __cplusplus
#include "cxx_params.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Tables ------------------------------------------------------------------------------------------ */

struct quash_param_type;

/** An argument. Made by the macros below; one whose name is no C identifier is written out by hand. */
typedef struct quash_param {
	const char *name;        /**< as in JSON */
	const char *description; /**< for people and models, or NULL */
	const QUASH_FLASH struct quash_param_type *type;
	const void *detail;      /**< of its type: names, range or default text */
	int32_t min, max;        /**< of an integer */
	int32_t fallback;        /**< what an absent integer, boolean or enum counts as */
	quash_size offset;       /**< of the field in the struct */
	quash_size count_offset; /**< of the field for the number of elements */
	quash_size size;         /**< bytes of a text field, elements of an array field; else 0 */
	bool optional;
} quash_param;

/** A table. Constant, may live in flash. */
typedef QUASH_FLASH struct quash_params {
	const quash_param *list; /**< `count` of them, or NULL */
	quash_size size;         /**< of the struct */
	uint8_t count;
	/** Further arguments that may come and are ignored, ending with NULL; or NULL. */
	const char *const *ignored;
} quash_params;

/** The table of `list`, an array of quash_param, for structs of type `s`. */
#define QUASH_PARAMS(s, list) QUASH_PARAMS_IGNORING(s, list, NULL)
/** The same with `ignored`. */
#define QUASH_PARAMS_IGNORING(s, list, ignored) \
	{ (list), (quash_size)sizeof(s), QUASH_PARAMS_COUNT_(list, sizeof(s)), (ignored) }

/** The table of arguments that have no field, QUASH_ARG_STRING all of them. */
#define QUASH_PARAMS_ONLY(list) { (list), 0, QUASH_PARAMS_COUNT_(list, 0), NULL }

/** The table without arguments, for structs of type `s` that hold a handler's state only. */
#define QUASH_NO_PARAMS(s) { NULL, (quash_size)sizeof(s), 0, NULL }

/* --- Arguments ---------------------------------------------------------------------------------------
 *
 * `s` is the struct's type and `f` its field, whose name is the argument's too. A field of another type than
 * the one named below does not compile. Arguments are required, but for those made with `_OR`. */

/** An integer from `min` to `max`; field: int32_t. `1.0` and `1e0` are the integer 1. */
#define QUASH_ARG_INT(s, f, min, max, description) \
	QUASH_ARG_(s, f, int32_t *, quash_param_int, description, NULL, min, max, 0, 0, 0, false)
#define QUASH_ARG_INT_OR(s, f, min, max, fallback, description) \
	QUASH_ARG_(s, f, int32_t *, quash_param_int, description, NULL, min, max, \
		QUASH_ARG_WITHIN_(fallback, min, max), 0, 0, true)

/** A boolean; field: bool. */
#define QUASH_ARG_BOOL(s, f, description) \
	QUASH_ARG_(s, f, bool *, quash_param_bool, description, NULL, 0, 1, 0, 0, 0, false)
#define QUASH_ARG_BOOL_OR(s, f, fallback, description) \
	QUASH_ARG_(s, f, bool *, quash_param_bool, description, NULL, 0, 1, QUASH_ARG_WITHIN_(fallback, 0, 1), 0, 0, true)

/** One of `names`, an array of up to 255 strings that ends with NULL; field: uint8_t, the name's index. */
#define QUASH_ARG_ENUM(s, f, names, description) \
	QUASH_ARG_(s, f, uint8_t *, quash_param_enum, description, names, 0, 0, QUASH_ARG_NAMED_(names), 0, 0, false)
#define QUASH_ARG_ENUM_OR(s, f, names, fallback, description) \
	QUASH_ARG_(s, f, uint8_t *, quash_param_enum, description, names, 0, 0, \
		QUASH_ARG_WITHIN_(fallback, 0, QUASH_ARG_LAST_(names)), 0, 0, true)

/** A string that is copied into the struct, NUL-terminated; field: char[n]. At most n - 1 bytes of UTF-8,
 * none of them NUL. The schema gives that number as `maxLength`, which counts characters: a client that keeps
 * to ASCII can rely on it, the check itself counts bytes. An absent one is `fallback`, or with NULL the empty
 * string without the schema naming a default. */
#define QUASH_ARG_TEXT(s, f, description) \
	QUASH_ARG_(s, f, QUASH_ARG_ARRAY_(s, f, char), quash_param_text, description, NULL, 0, 0, 0, 0, \
		sizeof(((s *)0)->f), false)
#define QUASH_ARG_TEXT_OR(s, f, fallback, description) \
	QUASH_ARG_(s, f, QUASH_ARG_ARRAY_(s, f, char), quash_param_text, description, fallback, 0, 0, 0, 0, \
		QUASH_ARG_ROOM_(fallback, sizeof(((s *)0)->f)), true)

/** A string of any length that stays in the params, and has no field. It is read with `quash_argument`, or in MCP with
 * `quash_mcp_argument`, at each call and in put functions. `name` is a string. An absent one is QUASH_NONE. A table
 * with such an argument keeps the params until the answer has left. */
#define QUASH_ARG_STRING(name, description) \
	{ (name), (description), &quash_param_string, NULL, 0, 0, 0, 0, 0, 0, false }
#define QUASH_ARG_STRING_OR(name, description) \
	{ (name), (description), &quash_param_string, NULL, 0, 0, 0, 0, 0, 0, true }

/** An array of integers from `min` to `max`; fields: int32_t[n] with n up to 255, and a uint8_t for how many
 * came. An absent one is empty. */
#define QUASH_ARG_INTS(s, f, count_field, min, max, description) \
	QUASH_ARG_INTS_(s, f, count_field, min, max, description, false)
#define QUASH_ARG_INTS_OR(s, f, count_field, min, max, description) \
	QUASH_ARG_INTS_(s, f, count_field, min, max, description, true)

/** A number; field: double. `range` points to a constant quash_range. Only this type links floating point. */
#define QUASH_ARG_NUMBER(s, f, range, description) \
	QUASH_ARG_(s, f, double *, quash_param_number, description, range, 0, 0, 0, 0, 0, false)
#define QUASH_ARG_NUMBER_OR(s, f, range, description) \
	QUASH_ARG_(s, f, double *, quash_param_number, description, range, 0, 0, QUASH_ARG_RANGED_(range), 0, 0, true)

/** What a number may be: finite, both ends included. Schemas and messages show them with nine digits. */
typedef struct quash_range {
	double min, max;
	double fallback; /**< what an absent one counts as */
} quash_range;

#ifdef __cplusplus
/* cxx_params.h looks at it all. */
#define QUASH_ARG_FIELD_(s, f, pointer) \
	static_cast<quash_size>(offsetof(s, f) + \
		0 * sizeof(quash::argument_field<pointer, quash::bare_type<decltype(((s *)0)->f)>::type>))
#define QUASH_ARG_ARRAY_(s, f, element) quash::array_of<element> *
#define QUASH_ARG_VALUE_(value) quash::argument_value<static_cast<int64_t>(value)>::number
#define QUASH_ARG_WITHIN_(value, least, most) \
	(quash::argument_default<static_cast<int64_t>(value), static_cast<int64_t>(least), \
		static_cast<int64_t>(most)>::number)
#define QUASH_ARG_NAMED_(names) quash::argument_names<quash::names_of(names)>::none
#define QUASH_ARG_LAST_(names) (quash::names_of(names) - 1)
#define QUASH_ARG_ROOM_(text, room) (quash::argument_text<quash::length_of(text), room>::size)
#define QUASH_ARG_RANGED_(range) quash::argument_number<quash::is_in(*(range))>::none
#define QUASH_PARAMS_COUNT_(list, size) \
	quash::params_table<sizeof(list) / sizeof((list)[0]), size, \
		quash::wrong_param(list, sizeof(list) / sizeof((list)[0]), size), \
		quash::fault_of(list, sizeof(list) / sizeof((list)[0]), size, \
			quash::wrong_param(list, sizeof(list) / sizeof((list)[0]), size))>::entries
#else
/* The offset of the field; `pointer` is what its address must be. */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define QUASH_ARG_FIELD_(s, f, pointer) \
	((quash_size)(offsetof(s, f) + \
		0 * QUASH_ARG_HOLDS_(__builtin_types_compatible_p(__typeof__(((s *)0)->f), __typeof__(*(pointer)0)))))
#define QUASH_ARG_ARRAY_(s, f, element) element(*)[sizeof(((s *)0)->f) / sizeof(element)]
#ifdef _Static_assert /* a C library's own for C99, not for structs */
#define QUASH_ARG_HOLDS_(condition) sizeof(char[(condition) ? 1 : -1])
#else
#define QUASH_ARG_HOLDS_(condition) (__extension__ sizeof(struct { _Static_assert(condition, \
	"params: the type of a field is not the one of its argument: int32_t for QUASH_ARG_INT ..."); char one; }))
#endif
#else
/* In C99 a type of another name and the same width is a warning. */
#define QUASH_ARG_FIELD_(s, f, pointer) \
	((quash_size)(offsetof(s, f) + 0 * QUASH_ARG_SAME_(sizeof(((s *)0)->f), sizeof(*(pointer)0)) + \
		0 * sizeof(QUASH_ARG_TYPE_(&((s *)0)->f, pointer))))
#define QUASH_ARG_ARRAY_(s, f, element) \
	element(*)[QUASH_ARG_SAME_(sizeof(*((s *)0)->f), sizeof(element)) * sizeof(((s *)0)->f) / sizeof(element)]
#define QUASH_ARG_SAME_(is, needs) sizeof(char[(is) == (needs) ? 1 : -1])
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define QUASH_ARG_TYPE_(address, pointer) _Generic(address, pointer: 0)
#else
#define QUASH_ARG_TYPE_(address, pointer) (1 ? (address) : (pointer)0)
#endif
#endif
#define QUASH_ARG_VALUE_(value) (int32_t)(value)
#define QUASH_ARG_WITHIN_(value, least, most) value
#define QUASH_ARG_NAMED_(names) 0
#define QUASH_ARG_LAST_(names) 0
#define QUASH_ARG_ROOM_(text, room) room
#define QUASH_ARG_RANGED_(range) 0
#define QUASH_PARAMS_COUNT_(list, size) (uint8_t)(sizeof(list) / sizeof((list)[0]))
#endif
#define QUASH_ARG_( \
	s, f, pointer, type, description, detail, min, max, fallback, count_offset, size, optional) \
	{ #f, description, &type, detail, QUASH_ARG_VALUE_(min), QUASH_ARG_VALUE_(max), QUASH_ARG_VALUE_(fallback), \
	  QUASH_ARG_FIELD_(s, f, pointer), (count_offset), (quash_size)(size), optional }
#define QUASH_ARG_INTS_(s, f, count_field, min, max, description, optional) \
	QUASH_ARG_(s, f, QUASH_ARG_ARRAY_(s, f, int32_t), quash_param_ints, description, NULL, min, max, 0, \
		QUASH_ARG_FIELD_(s, count_field, uint8_t *), sizeof(((s *)0)->f) / sizeof(int32_t), optional)

/* --- Reading ----------------------------------------------------------------------------------------- */

/** What is wrong with an argument. */
typedef enum quash_param_fault {
	QUASH_PARAM_FITS,
	QUASH_PARAM_MISSING, /**< it is required and absent */
	QUASH_PARAM_WRONG,   /**< wrong type, out of range, too long, not one of the names */
	QUASH_PARAM_NUL,     /**< a text with a NUL in it */
	QUASH_PARAM_NO_OBJECT, /**< the params are no object at all */
	QUASH_PARAM_UNKNOWN  /**< the table does not name it */
} quash_param_fault;

/** The first argument, in the order of the table, that does not fit. */
typedef struct quash_param_error {
	/** NULL with QUASH_PARAM_NO_OBJECT. With QUASH_PARAM_UNKNOWN the one with the nearest name; NULL if none is
	 * near. */
	const quash_param *param;
	quash_param_fault fault;
	const char *name; /**< the argument's, or "params"; with QUASH_PARAM_UNKNOWN it lives as every view */
} quash_param_error;

/** Checks `params` against the table and fills the struct. For objects that others may have extended, such as the
 * params of a profile: what the table does not name is passed over.
 *
 * @param params  an object, or QUASH_NONE for none
 * @param target  the struct; borrowed. Fields that the table does not name are left alone. NULL: only checks
 * @param error   where to store what is wrong, or NULL
 * @return        false when an argument does not fit: then the fields are of no use
 *
 * Cost: linear in the number of arguments times the size of `params`. */
bool quash_read_params(const quash_params *table, quash_value params, void *target, quash_param_error *error);

/** Puts a string such as `steps: must be an integer from 1 to 100000`, `text: is required`, `Z: is unknown, try z`. */
void quash_put_param_error_(quash_writer *w, const quash_param_error *error);

/** The same for what `quash_bind` refuses first in `params`: for put functions. */
void quash_put_params_error_(quash_writer *w, const quash_params *table, quash_value params);

/** For plain handlers: reads the request's params into the struct at the beginning of its state, which lives until the
 * slot is given back. The first call fills the struct; further ones with the same table change nothing, so a handler
 * that waits begins with it at each of its calls:
 *
 *     static int32_t handler(quash_request *request)
 *     {
 *         int32_t code;
 *         if (!quash_bind_or_answer(request, &move_params, &code))
 *             return code;
 *         const struct move *move = QUASH_STATE(struct move, request);
 *         ...
 *     }
 *
 * The params are released, unless the table has a QUASH_ARG_STRING: what else they hold, such as `_meta`, is read
 * before.
 *
 * @return QUASH_DONE, QUASH_INVALID_PARAMS, or QUASH_INTERNAL_ERROR when the config's `state_size` is too
 *         small */
int32_t quash_bind(quash_request *request, const quash_params *table);

/** As `quash_bind`, but wrong params are answered with -32602 at once, with words as the error's `data`.
 *
 * @param code  where to store what the handler is to return when the result is false
 * @return      whether the struct is filled */
bool quash_bind_or_answer(quash_request *request, const quash_params *table, int32_t *code);

/** The argument with that name as it came in, for a QUASH_ARG_STRING. QUASH_NONE when it is absent or the params are
 * released. Lives as every view: until the handler, hook or put function returns. */
quash_value quash_argument(const quash_request *request, const char *name);

/** True if arguments of the table stay in the params: it has a QUASH_ARG_STRING. */
bool quash_params_borrow_(const quash_params *table);

/** Finds what is wrong with a table, for a config's `check`. That is arguments without name or type, names that stand
 * twice, ranges that are empty, texts without room, defaults that do not fit. `fault->name` is the argument's.
 *
 * @return false for the first thing that is wrong; then `*fault` is filled but for `table` */
bool quash_params_check(const quash_params *table, quash_fault *fault);

/* --- Writing ----------------------------------------------------------------------------------------- */

/** Puts the table's JSON Schema (2020-12), an object. */
void quash_put_schema(quash_writer *w, const quash_params *table);

/** Puts a struct as the object that the table describes: for results. A QUASH_ARG_STRING has no field and is left
 * out. */
void quash_put_struct(quash_writer *w, const quash_params *table, const void *source);

/** Records as the result the struct at the beginning of the request's state, as `table` describes it. Returns what
 * `quash_reply` returns. */
int32_t quash_reply_struct(quash_request *request, const quash_params *table);

/* --- Types ------------------------------------------------------------------------------------------- */

/** Marks of a type. */
enum {
	QUASH_PARAM_IN_PARAMS = 1 << 0,   /**< it has no field and stays in the params */
	QUASH_PARAM_NEEDS_SIZE = 1 << 1,  /**< its `size` is not 0 */
	QUASH_PARAM_NEEDS_DETAIL = 1 << 2 /**< its `detail` is not NULL */
};

/** A type of arguments. Constant; a further one is a few lines of your own. */
typedef QUASH_FLASH struct quash_param_type {
	/** Checks and stores `value`; QUASH_NONE stands for the default. With `target` NULL it only checks. */
	quash_param_fault (*read)(const quash_param *param, quash_value value, void *target);
	/** Puts the members of its schema into the open object. */
	void (*schema)(quash_writer *w, const quash_param *param);
	/** Puts the field's value. NULL with QUASH_PARAM_IN_PARAMS. */
	void (*put)(quash_writer *w, const quash_param *param, const void *source);
	/** Puts what a value must be, such as `true or false`, into the open string. */
	void (*rule)(quash_writer *w, const quash_param *param);
	uint8_t marks; /**< QUASH_PARAM_IN_PARAMS ... */
} quash_param_type;

extern const quash_param_type quash_param_int;    /**< QUASH_ARG_INT */
extern const quash_param_type quash_param_bool;   /**< QUASH_ARG_BOOL */
extern const quash_param_type quash_param_enum;   /**< QUASH_ARG_ENUM */
extern const quash_param_type quash_param_text;   /**< QUASH_ARG_TEXT */
extern const quash_param_type quash_param_string; /**< QUASH_ARG_STRING */
extern const quash_param_type quash_param_ints;   /**< QUASH_ARG_INTS */
extern const quash_param_type quash_param_number; /**< QUASH_ARG_NUMBER, in a file of its own */

#ifdef __cplusplus
}
#endif
#endif
