/* SPDX-License-Identifier: MIT */
#include "group.h"

#include "slots.h"

/* The link to the group that the request holds; if it holds none, the one at the end. */
static quash_group **link_of_group(const quash_request *slot)
{
	quash_group **link = &slot->peer->groups;
	quash_group *group;
	while ((group = *link) != NULL && group->holder != slot)
		link = &group->next;
	return link;
}

static bool is_listed(const quash_peer *peer, const quash_group *group)
{
	const quash_group *at = peer->groups;
	while (at != NULL && at != group)
		at = at->next;
	return at != NULL;
}

/* A holder that is in no list was dropped when its peer started anew. What it moved may still move. One that was reset
 * while it was held is in a list all the same. */
bool quash_group_take(quash_request *slot, quash_group *group)
{
	quash_group **const link = link_of_group(slot);
	if (*link == group)
		return true;
	if (*link != NULL) {
		quash_note_misuse(slot->peer, slot, 0, QUASH_WHY_SECOND_GROUP);
		return false;
	}
	if (group->holder != NULL)
		return false;
	group->holder = slot;
	if (is_listed(slot->peer, group))
		return true;
	group->next = NULL;
	*link = group;
	return true;
}

void quash_group_give_back(const quash_request *slot)
{
	quash_group **const link = link_of_group(slot);
	quash_group *const group = *link;
	if (group == NULL)
		return;
	*link = group->next;
	group->holder = NULL;
}

bool quash_hold(quash_request *request, quash_group *group)
{
	return quash_slot_is(request, MARK_END) && quash_group_take(request, group);
}

/* The holder may be gone with its peer: it is not looked at. */
void quash_group_reset(quash_group *group)
{
	group->holder = NULL;
}
