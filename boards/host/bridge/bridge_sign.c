/* SPDX-License-Identifier: MIT */
#include "bridge_sign.h"

void sign_announced(struct server *s, quash_value experimental)
{
	int32_t ms = 0;
	const quash_value sign = quash_member(experimental, "quash/lifeSign");
	s->lease = quash_int32(quash_get(sign, "ms"), &ms) == QUASH_NUMBER_OK && ms > 0 ? (uint32_t)ms : 0;
}

static uint32_t pause_of(const struct server *s)
{
	return s->lease >= 3 ? s->lease / 3 : 1;
}

uint32_t sign_left(const struct server *s)
{
	const uint32_t passed = bridge.now - s->signed_at, whole = pause_of(s);
	return s->signs && passed < whole ? whole - passed : 0;
}

bool sign_is_due(const struct server *s)
{
	return s->lease != 0 && sign_left(s) == 0;
}

bool sign_give(struct server *s)
{
	if (!wire_sign(&s->wire))
		return false;
	s->signs = true;
	s->signed_at = bridge.now;
	return true;
}

bool sign_arm(struct server *s)
{
	return s->lease == 0 || s->signs || sign_give(s);
}
