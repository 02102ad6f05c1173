/* SPDX-License-Identifier: MIT
 * quash-inspect --doctor: see docs/inspect.md. */
#ifndef INSPECT_DOCTOR_H
#define INSPECT_DOCTOR_H

#include "inspect_options.h"

/* Examines the device, shows what it is, and gives the exit code. */
int run_doctor(struct inspect_options *options);

#endif
