/* SPDX-License-Identifier: MIT
 * Which members of params are kept, and what becomes of the others: they never reach the tape. */
#include "keep_hooks.h"

#include "../json/rom.h"
#include "../json/tape.h"

/* --- Paths: each walk begins at the beginning of one, so it never comes behind the end */

enum { NO_MARK = UINT8_MAX };

/* Where a `mark` stands in the name at `from`, or at its end; else NO_MARK. */
static uint8_t find_mark(const char *path, uint8_t from, char mark)
{
	/*@ loop unroll 80; */
	for (uint8_t at = 0; at < NO_MARK && quash_rom(&path[at]) != '\0'; at++) {
		if (at >= from && quash_rom(&path[at]) == mark)
			return at;
		if (at >= from && quash_rom(&path[at]) == '>')
			break;
	}
	return NO_MARK;
}

/* A name of the path follows the one at `from`. */
static bool has_next_name(const char *path, uint8_t from)
{
	return find_mark(path, from, '>') != NO_MARK;
}

/* Members of that level come next; `offset` is where the path names theirs. */
static void go_to_level(quash_keeper *k, uint8_t level)
{
	const char *const path = k->entry->path;
	k->level = level;
	k->offset = 0;
	/*@ loop unroll 80; */
	for (uint8_t at = 0; at < NO_MARK && level > 1 && quash_rom(&path[at]) != '\0'; at++) {
		if (quash_rom(&path[at]) != '>')
			continue;
		level--;
		k->offset = (uint8_t)(at + 1);
	}
}

/* The path begins with the names that lead to the object whose members are being received, and its next name is the
 * word. */
static bool leads_to_word(const quash_peer *peer, const char *path)
{
	const quash_config *const c = quash_config_of(peer);
	const quash_keeper *const k = &peer->keeper;
	uint8_t at = 0;
	quash_size i = 0;
	/*@ loop unroll 80; */
	while (at < k->offset && quash_rom(&path[at]) != '\0' && quash_rom(&path[at]) == quash_rom(&k->entry->path[at]))
		at++;
	if (at < k->offset)
		return false;
	/*@ split at; */
	/*@ loop unroll 80; */
	while (i < peer->lex.length && i < c->word_size && quash_rom(&path[at]) != '\0' && quash_rom(&path[at]) != '>') {
		if (quash_rom(&path[at]) != '<') {
			if ((uint8_t)quash_rom(&path[at]) != c->word->text[i])
				return false;
			i++;
		}
		at++;
	}
	return i == peer->lex.length && (quash_rom(&path[at]) == '\0' || quash_rom(&path[at]) == '>');
}

/* The entry whose path goes on with the word; one that goes on after it is preferred. NULL: there is none. */
static const quash_keep *find_keep(const quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	const quash_keep *found = NULL;
	const quash_keep *list;
	uint8_t count = 0;
	/*@ loop unroll 8; */
	for (uint8_t n = 0; (list = c->keeps->list(c, n, &count)) != NULL; n++) {
		/*@ loop unroll 80; */
		for (uint8_t i = 0; i < count; i++) {
			const char *const path = list[i].path;
			if (!leads_to_word(peer, path))
				continue;
			found = &list[i];
			if (has_next_name(path, peer->keeper.offset))
				return found;
		}
	}
	return found;
}

/* --- The tape */

/* As it was before the member. */
static void pass_member(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	k->kind = KEEP_NONE;
	k->most = 0;
	peer->envelope.passing = true;
	peer->tape.length = k->length;
	peer->tape.open = k->open;
	peer->tape.missing = k->missing;
}

/* What is listed waits for its room. A prefix is not stored. */
static void find_name(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	const quash_keep *const entry = find_keep(peer);
	if (entry == NULL) {
		peer->lex.length = 0;
		return;
	}
	k->entry = entry;
	k->kind = KEEP_NAME;
	k->from = k->offset;
	peer->envelope.passing = false;
	const uint8_t prefix = find_mark(entry->path, k->offset, '<');
	if (prefix == NO_MARK)
		return;
	k->from = (uint8_t)(prefix + 1);
	peer->lex.length = (quash_size)(peer->lex.length - (quash_size)(prefix - k->offset));
}

/* It is the one of the path. */
static void put_name(quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	quash_keeper *const k = &peer->keeper;
	const char *const path = k->entry->path;
	const uint8_t from = k->from;
	k->length = peer->tape.length;
	k->open = peer->tape.open;
	k->missing = peer->tape.missing;
	quash_tape_event(&peer->tape, c->arena, c->arena_size, QUASH_LEX_KEY);
	/*@ loop unroll 80; */
	for (uint8_t at = 0; at < NO_MARK; at++) {
		if (quash_rom(&path[at]) == '\0' || (at >= from && quash_rom(&path[at]) == '>'))
			break;
		const uint8_t byte = (uint8_t)quash_rom(&path[at]);
		if (at >= from)
			quash_tape_text(&peer->tape, c->arena, c->arena_size, &byte, 1);
	}
	quash_tape_event(&peer->tape, c->arena, c->arena_size, QUASH_LEX_END);
	peer->lex.length = 0;
	k->kind = has_next_name(path, k->offset) ? KEEP_LISTED : k->entry->bare ? KEEP_BARE : KEEP_WHOLE;
	k->most = k->kind == KEEP_LISTED ? 0 : k->entry->most; /* it is of the last name */
}

static void begin_listed(quash_peer *peer)
{
	static const quash_keep none = { "", 0, false };
	quash_keeper *const k = &peer->keeper;
	k->kind = KEEP_LISTED;
	k->level = 0;
	k->most = 0;
	k->entry = &none;
}

/* --- Events */

/* Nothing of it is stored before it is known to be listed. */
static void unlisted_begins(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	k->kind = KEEP_NONE;
	k->most = 0;
	peer->envelope.passing = true;
	if (k->level > 1)
		peer->envelope.sink = TO_KEPT_NAME;
}

/* The object whose members were received has ended. */
static void leave_object(quash_peer *peer)
{
	quash_keeper *const k = &peer->keeper;
	k->kind = KEEP_LISTED;
	k->most = 0;
	peer->envelope.passing = false;
	go_to_level(k, (uint8_t)(k->level - 1));
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
			k->kind = KEEP_NONE;
			go_to_level(k, (uint8_t)(k->level + 1));
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

static bool keep_event(quash_peer *peer, quash_lex_event what, uint8_t level)
{
	quash_keeper *const k = &peer->keeper;
	const quash_size missing = (quash_size)(peer->tape.missing - k->missing);
	if (k->most > 0 && (uint32_t)(quash_size)(peer->tape.length - k->length) + missing > k->most)
		pass_member(peer);
	if (level < k->level) {
		leave_object(peer);
		return true;
	}
	if (level > k->level)
		return !peer->envelope.passing;
	switch (what) {
	case QUASH_LEX_KEY: unlisted_begins(peer); break;
	case QUASH_LEX_ARRAY:
	case QUASH_LEX_OBJECT: return container_begins(peer, what == QUASH_LEX_OBJECT);
	case QUASH_LEX_ARRAY_END:
	case QUASH_LEX_OBJECT_END: return k->kind != KEEP_NONE;
	case QUASH_LEX_STRING:
	case QUASH_LEX_NUMBER:
		if (k->kind == KEEP_LISTED && k->level > 0)
			pass_member(peer); /* no member of it is listed, and it has no bound */
		break;
	default: break;
	}
	return !peer->envelope.passing && k->kind != KEEP_NAME;
}

const struct quash_keep_code quash_keeping = { begin_listed, keep_event, find_name, put_name };
