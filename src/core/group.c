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

/* A holder that is in no list was dropped when its peer started anew. What it moved may still move. */
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

void quash_group_reset(quash_group *group)
{
	const quash_request *const holder = group->holder;
	if (holder != NULL && *link_of_group(holder) == group)
		quash_group_give_back(holder);
	group->holder = NULL;
}
