/* SPDX-License-Identifier: MIT */
#ifndef VIRT_H
#define VIRT_H

void virt_trap(void);     /* the trap vector */
void virt_timer(void);    /* a millisecond has passed */
void virt_external(void); /* the interrupt controller has one for us */

#endif
