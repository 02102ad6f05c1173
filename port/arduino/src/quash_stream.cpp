/* SPDX-License-Identifier: MIT */
#include "quash_stream.h"

QuashStream::QuashStream(Stream &stream, uint8_t unasked)
{
	port_.peek = peek;
	port_.take = take;
	port_.write = write;
	port_.now = now;
	port_.device = this;
	unasked_ = unasked;
	open(stream);
}

bool QuashStream::serve(quash_peer *peer)
{
	quash_pump(peer, &port_);
	return quash_step(peer);
}

const quash_port *QuashStream::port() const
{
	return &port_;
}

void QuashStream::close()
{
	gone_ = true;
}

void QuashStream::open(Stream &stream)
{
	stream_ = &stream;
	gone_ = false;
	first_ = count_ = 0;
}

int QuashStream::peek(void *device, const uint8_t **bytes)
{
	QuashStream *const s = static_cast<QuashStream *>(device);
	if (s->count_ == 0)
		s->first_ = 0;
	while (s->first_ == 0 && s->count_ < QUASH_STREAM_BYTES && s->stream_->available() > 0) {
		const int value = s->stream_->read();
		if (value < 0) /* a connection that has failed may have announced more */
			break;
		s->bytes_[s->count_++] = (uint8_t)value;
	}
	*bytes = s->bytes_ + s->first_;
	return s->count_ == 0 && s->gone_ ? (int)QUASH_GONE : s->count_;
}

void QuashStream::take(void *device, size_t n)
{
	QuashStream *const s = static_cast<QuashStream *>(device);
	s->first_ = (uint8_t)(s->first_ + n);
	s->count_ = (uint8_t)(s->count_ - n);
}

int QuashStream::write(void *device, const uint8_t *bytes, size_t n)
{
	const QuashStream *const s = static_cast<const QuashStream *>(device);
	if (s->gone_)
		return QUASH_GONE;
	const int room = s->stream_->availableForWrite();
	const size_t most = room > 0 ? (size_t)room : s->unasked_;
	if (most == 0)
		return 0;
	return (int)s->stream_->write(bytes, n < most ? n : most);
}

uint32_t QuashStream::now(void *)
{
	return millis();
}
