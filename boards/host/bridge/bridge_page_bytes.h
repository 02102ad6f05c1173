/* SPDX-License-Identifier: MIT */
#ifndef BRIDGE_PAGE_BYTES_H
#define BRIDGE_PAGE_BYTES_H

/** The page that HTTP serves at `/`, with a NUL behind it; boards/page/array.sh makes it. */
extern const unsigned char bridge_page_bytes[];

#endif
