/* SPDX-License-Identifier: MIT */
#include "bridge.h"

struct bridge bridge;
