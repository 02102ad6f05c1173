/* SPDX-License-Identifier: MIT
 * A stand-in for the pico-sdk's header: what the package uses of it. */
#ifndef HARDWARE_SYNC_H
#define HARDWARE_SYNC_H

void __wfe(void);
void __sev(void);

#endif
