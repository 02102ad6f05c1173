/* SPDX-License-Identifier: MIT
 * Finds what is wrong with a table of params in C++11, while it compiles: what `quash_params_check` finds, a field of
 * another type, and a value that is cut. The macros of params.h use it, programs do not. A table and its list are
 * `constexpr`. Cost: none. `param` is quash_param. */
#ifndef QUASH_CXX_PARAMS_H
#define QUASH_CXX_PARAMS_H

#include "size.h"

#ifdef __cplusplus
extern "C" {
struct quash_param_type;
extern const struct quash_param_type quash_param_int;    /**< see params.h, as all of these */
extern const struct quash_param_type quash_param_bool;   /**< see above */
extern const struct quash_param_type quash_param_enum;   /**< see above */
extern const struct quash_param_type quash_param_text;   /**< see above */
extern const struct quash_param_type quash_param_ints;   /**< see above */
extern const struct quash_param_type quash_param_number; /**< see above */
}

namespace quash {

/** Whether two addresses are known to be one: a compiler for AVRs does not always know that they are not. */
template <typename T, typename U>
constexpr bool is_known(T *p, U *q)
{
	return __builtin_constant_p(p == q) && p == q;
}

template <typename T>
constexpr bool is_missing(T *p)
{
	return __builtin_constant_p(p == nullptr) && p == nullptr;
}

/* Four at a time, as compilers count calls. */
constexpr bool is_same_text(const char *a, const char *b)
{
	return *a != *b ? false : *a == '\0' ? true :
		a[1] != b[1] ? false : a[1] == '\0' ? true :
		a[2] != b[2] ? false : a[2] == '\0' ? true :
		a[3] != b[3] ? false : a[3] == '\0' || is_same_text(a + 4, b + 4);
}

constexpr size_t text_length(const char *text)
{
	return *text == '\0' ? 0 : 1 + text_length(text + 1);
}

/* --- One after the other */

/** All were looked at. */
constexpr int looked_at(...)
{
	return 0;
}

template <size_t... index> struct indices {};
template <size_t N, size_t... index> struct indices_below : indices_below<N - 1, N - 1, index...> {};
template <size_t... index> struct indices_below<0, index...> {
	typedef indices<index...> type;
};

/* --- Fields. `pointer` is what the address of the field must be. */

template <typename T, typename U> struct same_type { enum { yes = false }; };
template <typename T> struct same_type<T, T> { enum { yes = true }; };

template <typename T> struct bare_type { typedef T type; };
template <typename T> struct bare_type<T &> { typedef T type; };

template <typename element> struct array_of;

template <typename pointer, typename field> struct argument_field {
	static_assert(same_type<pointer, field *>::yes, "params: the field has another type than its argument");
};
template <typename field> struct argument_field<int32_t *, field> {
	static_assert(same_type<int32_t, field>::yes, "params: the field of an integer is an int32_t");
};
template <typename field> struct argument_field<bool *, field> {
	static_assert(same_type<bool, field>::yes, "params: the field of a boolean is a bool");
};
template <typename field> struct argument_field<uint8_t *, field> {
	static_assert(same_type<uint8_t, field>::yes, "params: the field of a name's index, or of a count, is a uint8_t");
};
template <typename field> struct argument_field<uint32_t *, field> {
	static_assert(same_type<uint32_t, field>::yes, "params: the field of choices is a uint32_t");
};
template <typename field> struct argument_field<double *, field> {
	static_assert(same_type<double, field>::yes, "params: the field of a number is a double");
};
template <typename field> struct argument_field<array_of<char> *, field> {
	static_assert(same_type<void, field>::yes, "params: the field of a text is an array of char");
};
template <size_t N> struct argument_field<array_of<char> *, char[N]> {};
template <typename field> struct argument_field<array_of<int32_t> *, field> {
	static_assert(same_type<void, field>::yes, "params: the field of integers is an array of int32_t");
};
template <size_t N> struct argument_field<array_of<int32_t> *, int32_t[N]> {
	static_assert(N <= UINT8_MAX, "params: size is too large: an array of integers has at most 255");
};

/* --- Values of an argument */

/** A value that fits its member. */
template <int64_t value> struct argument_value {
	static_assert(value >= INT32_MIN && value <= INT32_MAX, "params: a value is cut: it fits no int32_t");
	enum : int32_t { number = static_cast<int32_t>(value) };
};

/** A default that is one of the argument's values. */
template <int64_t value, int64_t least, int64_t most> struct argument_default {
	static_assert(value >= least && value <= most, "params: fallback is no value of the argument");
	enum : int32_t { number = static_cast<int32_t>(value) };
};

/** How many names an array has that ends with NULL; of a pointer nobody knows. */
template <typename T, size_t N>
constexpr size_t names_of(T (&)[N])
{
	return N - 1;
}

template <typename T>
constexpr size_t names_of(T *const &)
{
	return UINT8_MAX;
}

template <size_t count> struct argument_names {
	static_assert(count > 0, "params: detail is missing: an array of names ends with NULL");
	static_assert(count <= UINT8_MAX, "params: detail is too large: an argument has at most 255 names");
	enum : int32_t { none };
};

/** The length of a default text; of a pointer nobody knows. */
template <size_t N>
constexpr size_t length_of(const char (&)[N])
{
	return N - 1;
}

template <typename T>
constexpr size_t length_of(const T &)
{
	return 0;
}

template <size_t length, size_t room> struct argument_text {
	static_assert(length < room, "params: fallback is no value of the argument: it is longer than its field");
	enum { size = room };
};

template <typename range_of>
constexpr bool is_in(const range_of &range)
{
	return range.min <= range.fallback && range.fallback <= range.max;
}

template <bool fits> struct argument_number {
	static_assert(fits, "params: fallback is no value of the argument");
	enum : int32_t { none };
};

/* --- Tables */

/** What is wrong with a table: the first is the one of the entry with the lowest index. */
enum class params_fault {
	none, list_missing, name_missing, name_no_name, name_twice, type_missing, detail_missing, size_missing,
	offset_outside, min_range, fallback
};

template <typename param>
constexpr bool has_field(const param &p)
{
	return is_known(p.type, &quash_param_int) || is_known(p.type, &quash_param_bool) ||
		is_known(p.type, &quash_param_enum) || is_known(p.type, &quash_param_text) ||
		is_known(p.type, &quash_param_ints) || is_known(p.type, &quash_param_number);
}

template <typename param>
constexpr bool has_detail(const param &p)
{
	return is_known(p.type, &quash_param_enum) || is_known(p.type, &quash_param_number);
}

template <typename param>
constexpr bool has_size(const param &p)
{
	return is_known(p.type, &quash_param_text) || is_known(p.type, &quash_param_ints);
}

template <typename param>
constexpr bool is_named_before(const param *list, size_t index, size_t i)
{
	return i < index && (is_same_text(list[i].name, list[index].name) || is_named_before(list, index, i + 1));
}

template <typename param>
constexpr params_fault fault_of_name(const param *list, size_t index)
{
	return is_missing(list[index].name) ? params_fault::name_missing :
		*list[index].name == '\0' ? params_fault::name_no_name :
		is_named_before(list, index, 0) ? params_fault::name_twice : params_fault::none;
}

template <typename param>
constexpr params_fault fault_of_values(const param &p, size_t size)
{
	return is_missing(p.type) ? params_fault::type_missing :
		has_detail(p) && is_missing(p.detail) ? params_fault::detail_missing :
		has_size(p) && p.size == 0 ? params_fault::size_missing :
		(has_field(p) || size > 0) && (p.offset >= size || p.count_offset >= size) ? params_fault::offset_outside :
		p.min > p.max ? params_fault::min_range :
		p.optional && is_known(p.type, &quash_param_int) && (p.fallback < p.min || p.fallback > p.max) ?
		params_fault::fallback :
		params_fault::none;
}

template <typename param>
constexpr params_fault fault_of_param(const param *list, size_t index, size_t size)
{
	return fault_of_name(list, index) != params_fault::none ? fault_of_name(list, index) :
			fault_of_values(list[index], size);
}

/** The index of the first argument that is wrong; `count` if none is. */
template <typename param>
constexpr size_t wrong_param(const param *list, size_t count, size_t size, size_t index = 0)
{
	return index == count || fault_of_param(list, index, size) != params_fault::none ? index :
		wrong_param(list, count, size, index + 1);
}

template <typename param>
constexpr params_fault fault_of(const param *list, size_t count, size_t size, size_t index)
{
	return index < count ? fault_of_param(list, index, size) : params_fault::none;
}

/** A table of `count` arguments for a struct of `size` bytes. `argument` is the index of the wrong one. */
template <size_t count, size_t size, size_t argument, params_fault fault> struct params_table {
	static_assert(count <= UINT8_MAX, "params: count is too large: a table has at most 255 arguments");
	static_assert(size <= static_cast<quash_size>(-1), "params: size is too large");
	static_assert(fault != params_fault::name_missing, "params: name is missing");
	static_assert(fault != params_fault::name_no_name, "params: name is no name");
	static_assert(fault != params_fault::name_twice, "params: name stands twice");
	static_assert(fault != params_fault::type_missing, "params: type is missing");
	static_assert(fault != params_fault::detail_missing, "params: detail is missing");
	static_assert(fault != params_fault::size_missing, "params: size is missing");
	static_assert(fault != params_fault::offset_outside, "params: offset lies outside of its struct");
	static_assert(fault != params_fault::min_range, "params: min leaves no value");
	static_assert(fault != params_fault::fallback, "params: fallback is no value of the argument");
	enum : uint8_t { entries = static_cast<uint8_t>(count) };
};
}
#endif
#endif
