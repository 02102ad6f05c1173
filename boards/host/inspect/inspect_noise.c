/* SPDX-License-Identifier: MIT */
#include "inspect_noise.h"

#include "host_escape.h"
#include "look.h"
#include "inspect_show.h"

#include <limits.h>

enum { NOISE_SHOWN = 200 };

void note_noise(const char *text, size_t length)
{
	if (length == 0)
		return;
	note_open();
	note_part("noise: ");
	const size_t shown = escape_cut(text, length, NOISE_SHOWN);
	note_text(text, shown);
	if (length > shown)
		note_part("... and %zu bytes more", length - shown);
	note_close();
}

/* A message may stand behind noise on its line. JSON that is no message is the peer's business. */
static void sort(struct noise *noise)
{
	struct cut *const cut = &noise->cut;
	const char *const text = (const char *)cut->bytes;
	const size_t at = look_at(text, cut->length, NULL, NULL).json ? 0 : look_for(text, cut->length);
	note_noise(text, at);
	if (at == cut->length)
		return;
	cut->bytes[cut->length] = '\n'; /* the place of its NUL */
	noise->shown = cut->bytes + at;
	noise->left = cut->length - at + 1;
}

static int peek(void *device, const uint8_t **bytes)
{
	struct noise *const noise = device;
	const quash_port line = noise->line;
	while (noise->left == 0) {
		size_t at = 0;
		const uint8_t *data;
		const int count = line.peek(line.device, &data);
		if (count <= 0)
			return count;
		const enum cut_event event = cut_read(&noise->cut, data, (size_t)count, &at);
		line.take(line.device, at);
		if (event == CUT_MESSAGE)
			sort(noise);
	}
	*bytes = noise->shown;
	return noise->left < INT_MAX ? (int)noise->left : INT_MAX;
}

static void take(void *device, size_t n)
{
	struct noise *const noise = device;
	noise->shown += n;
	noise->left -= n;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	const struct noise *const noise = device;
	return noise->line.write(noise->line.device, data, n);
}

static uint32_t now(void *device)
{
	const struct noise *const noise = device;
	return noise->line.now(noise->line.device);
}

quash_port noise_port(struct noise *noise)
{
	const quash_port port = { peek, take, write_bytes, now, noise };
	return port;
}

void noise_free(struct noise *noise)
{
	cut_free(&noise->cut);
}
