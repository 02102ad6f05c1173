/* SPDX-License-Identifier: MIT
 * A board has no files: a test that looks for some is skipped. */
#ifndef UNIT_DIRENT_H
#define UNIT_DIRENT_H

typedef struct unit_folder DIR;
struct dirent {
	char d_name[1];
};

DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);

#endif
