/* SPDX-License-Identifier: MIT
 * A fake of stream buffers, each between one writer and one reader, of which one interrupts the other. */


#include "line.h"

#include "FreeRTOS.h"
#include "stream_buffer.h"

StreamBufferHandle_t fake_stream_buffer(size_t size, size_t trigger, uint8_t *bytes, StaticStreamBuffer_t *place)
{
	CHECK(trigger == 1);
	place->bytes = bytes;
	place->size = size;
	place->head = place->tail = 0;
	return place;
}

static size_t used(StreamBufferHandle_t b)
{
	const size_t head = __atomic_load_n(&b->head, __ATOMIC_ACQUIRE),
		     tail = __atomic_load_n(&b->tail, __ATOMIC_ACQUIRE);
	return (head + b->size - tail) % b->size;
}

size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t b)
{
	return b->size - 1 - used(b);
}

BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t b)
{
	return used(b) == 0;
}

size_t xStreamBufferSend(StreamBufferHandle_t b, const void *data, size_t n, TickType_t wait)
{
	const uint8_t *from = data;
	size_t count = 0;
	CHECK(wait == 0);
	for (; count < n && xStreamBufferSpacesAvailable(b) > 0; count++) {
		b->bytes[b->head] = from[count];
		__atomic_store_n(&b->head, (b->head + 1) % b->size, __ATOMIC_RELEASE);
	}
	return count;
}

size_t xStreamBufferReceive(StreamBufferHandle_t b, void *data, size_t n, TickType_t wait)
{
	uint8_t *to = data;
	size_t count = 0;
	CHECK(wait == 0);
	for (; count < n && used(b) > 0; count++) {
		to[count] = b->bytes[b->tail];
		__atomic_store_n(&b->tail, (b->tail + 1) % b->size, __ATOMIC_RELEASE);
	}
	return count;
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t b, const void *data, size_t n, BaseType_t *woken)
{
	CHECK(woken != NULL);
	return xStreamBufferSend(b, data, n, 0);
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t b, void *data, size_t n, BaseType_t *woken)
{
	CHECK(woken != NULL);
	return xStreamBufferReceive(b, data, n, 0);
}
