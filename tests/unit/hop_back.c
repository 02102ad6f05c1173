/* SPDX-License-Identifier: MIT */
#include "hops.h"

loop back;
