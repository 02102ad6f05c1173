/* SPDX-License-Identifier: MIT
 * A file of settings that is replaced while other programs change it, or cannot be written. */
#define _GNU_SOURCE 1
#include "unit.h"

#include "settings/bridge_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64], path[96], copy[112];
static struct settings_file file;

/* How many more calls of fsync fail, as on a disk that is full. */
static unsigned full;

int fsync(int fd)
{
	(void)fd;
	if (full == 0)
		return 0;
	full--;
	errno = ENOSPC;
	return -1;
}

static void write_text(const char *name, const char *text)
{
	FILE *const to = fopen(name, "w");
	assert_non_null(to);
	assert_true(fputs(text, to) >= 0);
	assert_int_equal(fclose(to), 0);
}

static void assert_text(const char *name, const char *text)
{
	char found[64] = "";
	FILE *const from = fopen(name, "r");
	assert_non_null(from);
	found[fread(found, 1, sizeof found - 1, from)] = '\0';
	fclose(from);
	assert_string_equal(found, text);
}

static void assert_files(unsigned count)
{
	DIR *const files = opendir(folder);
	assert_non_null(files);
	for (const struct dirent *entry; (entry = readdir(files)) != NULL;)
		count -= entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
	closedir(files);
	assert_int_equal(count, 0);
}

static int begin(void **state)
{
	(void)state;
	strcpy(folder, "build/settings-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/file", folder);
	snprintf(copy, sizeof copy, "%s.copy", path);
	full = 0;
	write_text(path, "one");
	assert_null(file_read(&file, path));
	return 0;
}

static int end(void **state)
{
	(void)state;
	file_free(&file);
	unlink(path);
	unlink(copy);
	return rmdir(folder);
}

static void test_a_file_is_replaced_and_copied(void **state)
{
	(void)state;
	assert_true(file.there);
	assert_string_equal(file.text, "one");
	assert_null(file_copy(&file, copy));
	assert_null(file_replace(&file, "two"));
	assert_text(path, "two");
	assert_text(copy, "one");
	assert_files(2);
}

static void test_what_another_program_writes_is_not_lost(void **state)
{
	(void)state;
	static const char changed[] = "was changed by another program just now";
	write_text(path, "other");
	assert_string_equal(file_replace(&file, "two"), changed);
	assert_text(path, "other");
	unlink(path);
	assert_string_equal(file_replace(&file, "two"), changed);
	assert_files(0);
}

static void test_a_file_that_comes_meanwhile_is_not_lost(void **state)
{
	(void)state;
	file_free(&file);
	unlink(path);
	assert_null(file_read(&file, path));
	assert_false(file.there);
	write_text(path, "other");
	assert_string_equal(file_replace(&file, "two"), "was changed by another program just now");
	assert_text(path, "other");
	assert_files(1);
}

static void test_on_a_full_disk_all_stays(void **state)
{
	(void)state;
	full = 2;
	assert_string_equal(file_copy(&file, copy), strerror(ENOSPC));
	assert_string_equal(file_replace(&file, "two"), strerror(ENOSPC));
	assert_text(path, "one");
	assert_files(1);
	assert_null(file_replace(&file, "two"));
	assert_text(path, "two");
}

static void test_a_reader_has_the_old_file_or_the_new_one(void **state)
{
	(void)state;
	FILE *const reader = fopen(path, "r");
	char found[8] = "";
	assert_non_null(reader);
	assert_null(file_replace(&file, "two"));
	assert_int_equal(fread(found, 1, sizeof found - 1, reader), 3);
	assert_string_equal(found, "one");
	fclose(reader);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_a_file_is_replaced_and_copied),
		TEST(test_what_another_program_writes_is_not_lost),
		TEST(test_a_file_that_comes_meanwhile_is_not_lost),
		TEST(test_on_a_full_disk_all_stays),
		TEST(test_a_reader_has_the_old_file_or_the_new_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
