/* SPDX-License-Identifier: MIT
 * No header of FreeRTOS: it states what port/rtos/rtos_freertos.c uses of stream buffers, see FreeRTOS.h. */
#ifndef FREERTOS_STATED_STREAM_BUFFER_H
#define FREERTOS_STATED_STREAM_BUFFER_H

#include "FreeRTOS.h"

typedef struct StaticStreamBuffer *StreamBufferHandle_t;

/* A macro there too. */
#define xStreamBufferCreateStatic(size, trigger, bytes, place) fake_stream_buffer((size), (trigger), (bytes), (place))
StreamBufferHandle_t fake_stream_buffer(size_t size, size_t trigger, uint8_t *bytes, StaticStreamBuffer_t *place);

size_t xStreamBufferSend(StreamBufferHandle_t buffer, const void *data, size_t n, TickType_t wait);
size_t xStreamBufferReceive(StreamBufferHandle_t buffer, void *data, size_t n, TickType_t wait);
size_t xStreamBufferSendFromISR(StreamBufferHandle_t buffer, const void *data, size_t n, BaseType_t *woken);
size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t buffer, void *data, size_t n, BaseType_t *woken);
size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t buffer);
BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t buffer);

#endif
