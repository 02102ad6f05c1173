/* SPDX-License-Identifier: MIT
 * What the archive has by this name, for sources that are compiled in the tree. */
#include "../../../../port/usb/usb.h"
