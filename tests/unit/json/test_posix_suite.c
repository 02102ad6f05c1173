/* SPDX-License-Identifier: MIT
 * JSONTestSuite, if it is there, texts of our own in any case, and the messages of tests/bench. */
#include "meaning.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static size_t load(const char *folder, const char *name, char *text, size_t size)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *const file = fopen(path, "rb");
	assert_non_null(file);
	const size_t n = fread(text, 1, size, file);
	fclose(file);
	return n;
}

/* Those of the suite say by their first letter what they are, messages are numbered. */
static void check_file(const char *name, const char *text, size_t n)
{
	if (name[0] != 'i' && n < 5000 && accepted(text, n) != (name[0] != 'n'))
		fail_msg("%s", name);
	cut_everywhere(text, n < 3000 ? n : 3000);
}

/* How many files the folder has. */
static unsigned check_folder(const char *folder)
{
	static char text[1 << 18];
	unsigned count = 0;
	DIR *const files = opendir(folder);
	if (!files)
		return 0;
	for (const struct dirent *file; (file = readdir(files)) != NULL;) {
		if (strstr(file->d_name, ".json") == NULL)
			continue;
		check_file(file->d_name, text, load(folder, file->d_name, text, sizeof text));
		count++;
	}
	closedir(files);
	return count;
}

static char json_test_suite[512];

static bool is_json_test_suite_there(void)
{
	const char *const named = getenv("JSONTESTSUITE");
	snprintf(json_test_suite, sizeof json_test_suite, "%s/test_parsing", named ? named : "../shared/JSONTestSuite");
	DIR *const files = opendir(json_test_suite);
	return files != NULL && closedir(files) == 0;
}

static void test_json_test_suite(void **state)
{
	(void)state;
	assert_true(check_folder(json_test_suite) > 300);
}

/* In place: `\xNN` is a byte. */
static size_t decode(char *text)
{
	size_t n = 0;
	for (const char *from = text; *from != '\0' && *from != '\n'; n++) {
		unsigned byte;
		if (sscanf(from, "\\x%2x", &byte) == 1) {
			text[n] = (char)byte;
			from += 4;
		} else {
			text[n] = *from++;
		}
	}
	return n;
}

static void test_texts(void **state)
{
	char line[256];
	unsigned good = 0, bad = 0;
	FILE *const file = fopen("tests/host/jsontestsuite.texts", "r");
	(void)state;
	assert_non_null(file);
	for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; number++) {
		if (line[0] == '#')
			continue;
		const size_t n = decode(line + 2);
		if (accepted(line + 2, n) != (line[0] == 'y'))
			fail_msg("line %u of tests/host/jsontestsuite.texts", number);
		cut_everywhere(line + 2, n);
		*(line[0] == 'y' ? &good : &bad) += 1;
	}
	fclose(file);
	assert_true(good >= 40 && bad >= 60);
}

static void test_messages(void **state)
{
	(void)state;
	assert_int_equal(check_folder("tests/bench/messages"), 5);
}

int main(void)
{
	const struct CMUnitTest ours[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_messages) };
	const struct CMUnitTest theirs[] = { cmocka_unit_test(test_json_test_suite) };
	const int failed = cmocka_run_group_tests(ours, NULL, NULL);
	return is_json_test_suite_there() ? failed + cmocka_run_group_tests(theirs, NULL, NULL) : failed;
}
