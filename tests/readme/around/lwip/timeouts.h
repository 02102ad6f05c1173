/* SPDX-License-Identifier: MIT
 * No header of lwIP, see tcp.h. */
#include "tcp.h"
