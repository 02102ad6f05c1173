/* SPDX-License-Identifier: MIT
 * JSONTestSuite, if it is there. */
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

static void check_file(const char *name, const char *text, size_t n)
{
	if (name[0] != 'i' && n < 5000 && accepted(text, n) != (name[0] == 'y'))
		fail_msg("%s", name);
	cut_everywhere(text, n < 3000 ? n : 3000);
}

static void test_json_test_suite(void **state)
{
	static char text[1 << 18], folder[512];
	const char *const named = getenv("JSONTESTSUITE");
	(void)state;
	snprintf(folder, sizeof folder, "%s/test_parsing", named ? named : "../shared/JSONTestSuite");
	DIR *const files = opendir(folder);
	if (!files) {
		print_message("JSONTestSuite is not at %s: nothing was read\n", folder);
		return;
	}
	for (const struct dirent *file; (file = readdir(files)) != NULL;) {
		if (file->d_name[0] != '.')
			check_file(file->d_name, text, load(folder, file->d_name, text, sizeof text));
	}
	closedir(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_json_test_suite) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
