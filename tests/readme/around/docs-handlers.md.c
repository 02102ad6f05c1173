/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/handlers.md. */
#include "quash.h"

#if NUMBER == 4
static quash_port port;
#elif NUMBER == 5
static void start_task(void (*work)(void *), void *argument) { work(argument); }
#elif NUMBER == 7
static void motor_set(int speed) { (void)speed; }
#elif NUMBER == 8
struct reading { int32_t n; };
struct average { int32_t n; };
struct copy { int32_t n; };
struct unlock { int32_t n; };
struct spin { int32_t n; };
enum { LEASE_MS = 2000 };
static quash_group one_motor;
int32_t read_temperature(quash_request *request), average(quash_request *request), checksum(quash_request *request),
	copy(quash_request *request), unlock(quash_request *request), spin(quash_request *request), ramp_down(quash_request *request);
#elif NUMBER == 9
static bool bus_is_done(void) { return true; }
#elif NUMBER == 11
struct turn { bool begun; int32_t left; };
static int32_t turn(quash_request *request) { return quash_reply_null(request); }
static int32_t motor_off(quash_request *request) { (void)request; return QUASH_DONE; }
#endif

#if NUMBER == 2 || NUMBER == 3
static int32_t sensor_read(void) { return 21500; }
#endif

#include BLOCK
