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
	gone_ = heard_ = asked_ = false;
	looked_ = true;
	first_ = count_ = 0;
}

int QuashStream::peek(void *device, const uint8_t **bytes)
{
	QuashStream *const s = static_cast<QuashStream *>(device);
	if (s->count_ == 0)
		s->first_ = 0;
	while (s->first_ == 0 && s->count_ < QUASH_STREAM_BYTES_ && s->stream_->available() > 0) {
		const int value = s->stream_->read();
		if (value < 0) /* a connection that has failed may have announced more */
			break;
		s->bytes_[s->count_++] = (uint8_t)value;
		s->heard_ = true;
	}
	s->looked_ = true;
	*bytes = s->bytes_ + s->first_;
	return s->count_ == 0 && s->gone_ ? (int)QUASH_GONE : s->count_;
}

void QuashStream::take(void *device, size_t n)
{
	QuashStream *const s = static_cast<QuashStream *>(device);
	s->first_ = (uint8_t)(s->first_ + n);
	s->count_ = (uint8_t)(s->count_ - n);
}

/* How much may be written to a stream that says 0. One that has said more is full, or nobody is there any more. One that has
 * not may be unable to say it, but only if it is one that somebody has spoken on. It is looked at in between, as what is
 * received there must not wait for long. */
uint8_t QuashStream::unasked()
{
	const bool may = unasked_ > 0 || (heard_ && !asked_);
	if (!may || !looked_)
		return 0;
	looked_ = false;
	return unasked_ > 0 ? unasked_ : 1;
}

int QuashStream::write(void *device, const uint8_t *bytes, size_t n)
{
	QuashStream *const s = static_cast<QuashStream *>(device);
	if (s->gone_)
		return QUASH_GONE;
	const int room = s->stream_->availableForWrite();
	if (room > 0)
		s->asked_ = true;
	const size_t most = room > 0 ? (size_t)room : s->unasked();
	if (most == 0)
		return 0;
	return (int)s->stream_->write(bytes, n < most ? n : most);
}

uint32_t QuashStream::now(void *)
{
	return millis();
}
