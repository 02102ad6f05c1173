/* SPDX-License-Identifier: MIT
 * Which members of params are kept, and what becomes of the others: they never reach the tape. */
#include "keep_hooks.h"

#include "../json/rom.h"
#include "../json/tape.h"

/* --- Paths */

static bool ends_name(char c)
{
	return c == '\0' || c == '>';
}

/* The place in the path after the name that begins there: at a '>' or at the end. */
static uint8_t end_of_name(const char *path, uint8_t at)
{
	while (at < UINT8_MAX && !ends_name(quash_rom(&path[at])))
		at++;
	return at;
}

/* The path begins with the names that lead to the object whose members are being received. */
static bool leads_there(const quash_keeper *k, const char *path)
{
	uint8_t i = 0;
	while (i < k->offset && quash_rom(&path[i]) == quash_rom(&k->path[i]))
		i++;
	return i == k->offset;
}

/* The next name of the path is the word. */
static bool names_word(const quash_peer *peer, const char *path)
{
	const quash_config *const c = quash_config_of(peer);
	const char *at = &path[peer->keeper.offset];
	quash_size i = 0;
	while (i < peer->lex.length && i < c->word_size && !ends_name(quash_rom(at))) {
		if (quash_rom(at) != '<') {
			if ((uint8_t)quash_rom(at) != c->word->text[i])
				return false;
			i++;
		}
		at++;
	}
	return i == peer->lex.length && ends_name(quash_rom(at));
}

/* The entry whose path goes on with the word; one that goes on after it is preferred. NULL: there is none. */
static const quash_keep *find_keep(const quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	const quash_keep *found = NULL;
	const quash_keep *list;
	uint8_t count = 0;
	for (uint8_t n = 0; (list = c->keeps->list(c, n, &count)) != NULL; n++) {
		for (uint8_t i = 0; i < count; i++) {
			const char *const path = quash_rom_text(&list[i].path);
			if (!leads_there(&peer->keeper, path) || !names_word(peer, path))
				continue;
			found = &list[i];
			if (quash_rom(&path[end_of_name(path, peer->keeper.offset)]) == '>')
				return found;
		}
	}
	return found;
}

/* How much of the name at `from` is a prefix that is not stored. */
static uint8_t prefix_of_name(const char *path, uint8_t from)
{
	const uint8_t end = end_of_name(path, from);
	uint8_t at = from;
	while (at < end && quash_rom(&path[at]) != '<')
		at++;
	return at < end ? (uint8_t)(at - from) : 0;
}

/* --- The tape */

/* As it was before the member. */
static void pass_member(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	k->kind = KEEP_NONE;
	k->most = 0;
	peer->envelope.passing = true;
	if (!k->whole)
		return;
	peer->tape.length = k->length;
	peer->tape.open = k->open;
	peer->tape.missing = 0;
}

static void keep_name(quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	quash_keeper *const k = &peer->keeper;
	const quash_keep *const entry = find_keep(peer);
	if (entry == NULL) {
		pass_member(peer);
		return;
	}
	k->path = quash_rom_text(&entry->path);
	k->kind = quash_rom(&k->path[end_of_name(k->path, k->offset)]) == '>' ? KEEP_LISTED : entry->bare ? KEEP_BARE : KEEP_WHOLE;
	k->most = k->kind == KEEP_LISTED ? 0 : entry->most; /* it is of the last name */
	const uint8_t prefix = prefix_of_name(k->path, k->offset);
	if (prefix == 0 || prefix > peer->lex.length)
		return;
	quash_tape_text(&peer->tape, c->arena, c->arena_size, &c->word->text[prefix], (quash_size)(peer->lex.length - prefix));
	peer->lex.length = 0;
}

static void begin_listed(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	k->kind = KEEP_LISTED;
	k->level = 0;
	k->offset = 0;
	k->most = 0;
	k->path = "";
}

/* --- Events */

static void listed_name_begins(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	k->kind = KEEP_WHOLE;
	k->most = 0;
	k->length = peer->tape.length;
	k->open = peer->tape.open;
	k->whole = quash_tape_whole(&peer->tape);
	peer->envelope.passing = false;
	if (k->level > 1)
		peer->envelope.sink = TO_KEPT_NAME;
}

/* The object whose members were received has ended. */
static void leave_object(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	k->level--;
	k->kind = KEEP_LISTED;
	k->most = 0;
	peer->envelope.passing = false;
	if (k->offset > 0)
		k->offset--;
	while (k->offset > 0 && quash_rom(&k->path[k->offset - 1]) != '>')
		k->offset--;
}

static void enter_object(quash_keeper *k)
{
	k->kind = KEEP_NONE;
	k->offset = k->level > 0 ? (uint8_t)(end_of_name(k->path, k->offset) + 1) : 0;
	k->level++;
}

/* The container that the member's value is begins. */
static bool container_begins(quash_peer *peer, bool object)
{
	quash_keeper *const k = &peer->keeper;
	switch (k->kind) {
	case KEEP_NONE: return false;
	case KEEP_WHOLE: return true;
	case KEEP_LISTED:
		if (object) {
			enter_object(k);
			return true;
		}
		if (k->level == 0) {
			k->kind = KEEP_WHOLE; /* an array of params */
			return true;
		}
		break;
	default: break;
	}
	peer->envelope.passing = true;
	return true;
}

static bool container_ends(quash_peer *peer)
{
	if (peer->keeper.kind == KEEP_NONE)
		return false;
	peer->envelope.passing = false;
	return true;
}

static bool keep_event(quash_peer *peer, quash_lex_event what, uint8_t level)
{
	quash_keeper *const k = &peer->keeper;
	if (k->most > 0 && peer->tape.length + peer->tape.missing - k->length > k->most)
		pass_member(peer);
	if (level < k->level) {
		leave_object(peer);
		return true;
	}
	if (level > k->level)
		return !peer->envelope.passing;
	switch (what) {
	case QUASH_LEX_KEY: listed_name_begins(peer); return true;
	case QUASH_LEX_ARRAY:
	case QUASH_LEX_OBJECT: return container_begins(peer, what == QUASH_LEX_OBJECT);
	case QUASH_LEX_ARRAY_END:
	case QUASH_LEX_OBJECT_END: return container_ends(peer);
	default: return !peer->envelope.passing;
	}
}

const struct quash_keep_code quash_keeping = { begin_listed, keep_event, keep_name, pass_member };
