/* SPDX-License-Identifier: MIT
 * What the module imports, all from `shell`. None of these functions may call the module. */
#ifndef WASM_HOST_H
#define WASM_HOST_H

#include <stddef.h>
#include <stdint.h>

#define WASM_IMPORT(name) __attribute__((import_module("shell"), import_name(#name)))
#define WASM_EXPORT(name) __attribute__((export_name(#name)))

/** Random bytes. 0: there are none. */
WASM_IMPORT(random) int shell_random(void *bytes, size_t n);

/** Bytes for stdout (1) or stderr (2), in pieces that leave as one: pairs of address and length. */
WASM_IMPORT(print) void shell_print(int fd, const void *pieces, size_t count);

/** Milliseconds since the record was opened. */
WASM_IMPORT(record_ms) uint32_t shell_record_ms(void);

/** Bytes for the record, which are whole lines. */
WASM_IMPORT(record) void shell_record(const char *text, size_t n);

/** The first bytes of a file, at most `size`. Returns how many, or -1. */
WASM_IMPORT(file) int shell_file(const char *path, size_t n, void *bytes, size_t size);

/** The names in a folder, each ending with NUL, at most `size` bytes of them. Returns how many bytes, or -1: there is no such folder. */
WASM_IMPORT(folder) int shell_folder(const char *path, size_t n, void *bytes, size_t size);

/** What a system without such a folder says of its serial ports, for `ports_read` of ports.h; at most `size` bytes of it. Returns how many
 * bytes there are. */
WASM_IMPORT(ports) size_t shell_ports(void *bytes, size_t size);

/** The page that HTTP serves at `/`, at most `size` bytes of it. Returns how many there are; 0: there is none. */
WASM_IMPORT(page) size_t shell_page(void *bytes, size_t size);

/** What settings of hosts ask of the system, a function of bridge_system.h each, but for the last. */
enum shell_question {
	SHELL_OWN,
	SHELL_IS_PACKAGE,
	SHELL_VARIABLE,
	SHELL_FOLDER,
	SHELL_PROGRAM,
	SHELL_ABOUT,
	SHELL_RESOLVE,
	SHELL_READ,
	SHELL_WRITE_BESIDE,
	SHELL_REPLACE,
	SHELL_REMOVE,
	SHELL_NAMES,
	SHELL_WORDS /* of what went wrong last */
};

/** Asks it. The answer is written to `to` if there is room for it.
 *
 * @param given  texts, each with its NUL
 * @return       the length of the answer; -1: there is none */
WASM_IMPORT(system) int shell_system(int question, const char *given, size_t n, void *to, size_t size);

/** Whether that is an address in numbers, of IPv4 or IPv6. */
WASM_IMPORT(is_address) int shell_is_address(const char *host, size_t n);

/** The host gives no memory any more. Does not return: the module is at its end. */
WASM_IMPORT(refuse) _Noreturn void shell_refuse(size_t n);

#endif
