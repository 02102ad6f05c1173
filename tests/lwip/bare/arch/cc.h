/* SPDX-License-Identifier: MIT
 * A processor without an OS, for lwIP: the headers of a freestanding compiler are enough. */
#ifndef LWIP_BARE_CC_H
#define LWIP_BARE_CC_H

#define LWIP_NO_INTTYPES_H 1
#define LWIP_NO_CTYPE_H 1
#define X8_F "02x"
#define U16_F "u"
#define S16_F "d"
#define X16_F "x"
#define U32_F "lu"
#define S32_F "ld"
#define X32_F "lx"
#define SZT_F "u"

#define LWIP_PLATFORM_DIAG(message)
#define LWIP_PLATFORM_ASSERT(message) for (;;)

typedef unsigned sys_prot_t;

#endif
