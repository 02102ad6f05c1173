/* SPDX-License-Identifier: MIT
 * Hart 1: the UART and its client in the interrupt, and a loop that it interrupts. Both cancel; the loop wakes. */
#include "cores.h"

enum { SPREAD = 16, STEPS = 4, PAST = 8, LINE = 160, RANDOM_STEP = 12345 };

struct other other;
static uint8_t answers[REQUESTS + 1];

/* --- Cancels and wakes */

/* Nobody else cancels it, and it lives until it is cancelled. */
static void cancel(const struct job *job)
{
	const quash_request *const request = job->handle.request;
	if (quash_handle_cancelled(job->handle) || quash_cancelled(request) != QUASH_NOT_CANCELLED)
		__atomic_fetch_add(&other.early, 1, __ATOMIC_RELAXED);
	quash_cancel_async(job->handle);
	const bool told = job->kind == FROM_INTERRUPT || quash_cancelled(request) == QUASH_BY_LOCAL_CODE;
	if (!told || !quash_handle_cancelled(job->handle))
		__atomic_fetch_add(&other.unseen, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&other.cancels, 1, __ATOMIC_RELAXED);
	STORE(job->work->let_go, 1);
}

static void wake(const struct job *job)
{
	STORE(job->work->let_go, 1);
	quash_wake(job->handle.request);
	other.wakes++;
}

static bool next_job(struct box *box, struct job *job)
{
	if (LOAD(box->put) == box->got)
		return false;
	*job = box->jobs[box->got % BOX];
	STORE(box->got, box->got + 1);
	return true;
}

/* Those that were cancelled are cancelled once more: they live still, or have ended, or another has their slot. */
static void cancel_late(quash_handle handle)
{
	static quash_handle past[PAST];
	static uint32_t random;
	random = random * 1103515245u + RANDOM_STEP;
	quash_handle *const one = &past[(random >> 16) % PAST];
	if (one->request != NULL) {
		quash_cancel_async(*one);
		other.late_cancels++;
	}
	*one = handle;
}

/* --- The client, which sees each answer */

/* What stands behind the text, or NULL. */
static const char *behind(const char *line, const char *text)
{
	for (; *line != '\0'; line++) {
		uint32_t n = 0;
		while (text[n] != '\0' && line[n] == text[n])
			n++;
		if (text[n] == '\0')
			return line + n;
	}
	return NULL;
}

static uint32_t number_in(const char *digits)
{
	uint32_t number = 0;
	for (; digits != NULL && *digits >= '0' && *digits <= '9'; digits++)
		number = number * 10 + (uint32_t)(*digits - '0');
	return number;
}

static void judge(const char *line)
{
	const uint32_t id = number_in(behind(line, "\"id\":"));
	const bool is_result = behind(line, "\"result\":true") != NULL;
	const bool is_cancelled = behind(line, "\"code\":-32800,") != NULL;
	const bool wakes = id < REQUESTS && id % KINDS == BY_WAKE;
	other.cancelled += is_cancelled;
	other.results += is_result;
	other.strange += id > REQUESTS || is_result == is_cancelled || wakes != is_result;
	if (id <= REQUESTS)
		other.twice += answers[id]++ != 0;
	STORE(other.answered, other.answered + 1);
}

static void transmit(void)
{
	static char line[LINE];
	static uint32_t length;
	uint8_t byte;
	while (port_uart_next(&owner.uart, &byte)) {
		if (byte != '\n' && length < LINE - 1) {
			line[length++] = (char)byte;
			continue;
		}
		line[length] = '\0';
		length = 0;
		judge(line);
	}
}

/* --- The UART, with a byte as long as the client has something to ask */

static char *append(char *to, const char *text)
{
	while (*text != '\0')
		*to++ = *text++;
	return to;
}

static char *append_number(char *to, uint32_t number)
{
	uint32_t unit = 1;
	while (number / unit >= 10)
		unit *= 10;
	for (; unit > 0; unit /= 10)
		*to++ = (char)('0' + number / unit % 10);
	return to;
}

/* The first is that which waits for news; its number is the last. */
static void write_request(char *to, uint32_t asked)
{
	to = append(to, "{\"jsonrpc\":\"2.0\",\"id\":");
	to = append_number(to, asked == 0 ? REQUESTS : asked - 1);
	to = append(to, ",\"method\":\"");
	to = asked == 0 ? append(to, "news") : append_number(to, (asked - 1) % KINDS);
	*append(to, "\"}\n") = '\0';
}

static bool next_byte(uint8_t *byte, bool takes)
{
	static char line[LINE];
	static const char *next = line;
	static uint32_t asked;
	if (*next == '\0') {
		if (asked > REQUESTS || asked - other.answered > WINDOW)
			return false;
		write_request(line, asked++);
		next = line;
	}
	*byte = (uint8_t)*next;
	next += takes;
	return true;
}

/* What finds no room waits until the peer's port calls `resume`. */
static void receive(void)
{
	static bool receives;
	uint8_t byte;
	if (__atomic_exchange_n(&owner.resumed, 0, __ATOMIC_ACQ_REL) != 0)
		receives = true;
	while (receives && next_byte(&byte, false)) {
		receives = port_uart_wants(&owner.uart);
		other.held += !receives;
		if (receives && next_byte(&byte, true))
			port_uart_received(&owner.uart, byte);
	}
}

void other_interrupt(void)
{
	struct job job;
	while (next_job(&owner.for_interrupt, &job)) {
		cancel(&job);
		other.cancels_from_interrupt++;
		cancel_late(job.handle);
	}
	transmit();
	receive();
}

/* --- The loop */

static void do_jobs(void)
{
	struct job job;
	while (next_job(&owner.for_loop, &job)) {
		if (job.kind == BY_WAKE)
			wake(&job);
		else
			cancel(&job);
	}
}

/* News, at about the moment at which a wake for nothing has the handler called. After some steps it was lost. */
static void bring_news(void)
{
	const uint32_t round = other.brought + 1;
	for (uint32_t i = 0; i < round % SPREAD; i++, other.wakes_for_nothing++)
		quash_wake(owner.listener.request);
	__atomic_store_n(&other.brought, round, __ATOMIC_RELAXED);
	quash_wake(owner.listener.request);
	other.wakes++;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	const uint32_t steps = LOAD(owner.steps);
	bool naps = false;
	for (uint32_t spins = 0; LOAD(owner.seen) != round; spins++) {
		naps = spins > SPINS;
		if (naps)
			machine_nap();
		if (LOAD(owner.steps) - steps <= STEPS || LOAD(owner.seen) == round)
			continue;
		other.lost_wakes++;
		quash_wake(owner.listener.request);
		return;
	}
	other.prompt += !naps; /* without a nap only a hart that runs beside this one can have seen it */
}

/* On a machine that has little time for two harts it takes more rounds until some were seen at once. */
static bool brings_more(void)
{
	return other.brought < ROUNDS || other.prompt < LEAST_PROMPT;
}

void other_main(void)
{
	while (LOAD(owner.listens) == 0)
		machine_nap();
	while (brings_more() || LOAD(other.answered) < REQUESTS) {
		do_jobs();
		if (brings_more())
			bring_news();
		else
			machine_nap();
	}
	const struct job last = { owner.listener, &(struct work){ 0, 0 }, FROM_INTERRUPT };
	cancel(&last);
	while (LOAD(other.answered) <= REQUESTS)
		machine_nap();
	STORE(other.over, 1);
}
