/* SPDX-License-Identifier: MIT
 * safe [--faults N] [--seconds S] [--seed S] [--jobs N] [--only INDEX] [--kind NAME]... [--but NAME]... [--ways MASK]
 *      [--defect N] [--bridge PROGRAM] [--lease MS] [--ramp MS] [--longest MS] [--loud] [--board] FOLDER COMMAND [ARG...]
 *
 * Makes faults, several at once, each with a device, a cable, a bridge and clients of its own, in a process of its own.
 * What each is like is decided by the seed and its index. COMMAND is the device; --board: an emulator, which shows its
 * motor on descriptor 3. It ends with the process that started it.
 *
 * A line for each: index, kind, way, microseconds from the fault to rest, to the bound, by how much that is later than for
 * devices with a processor of their own, and what became of it:
 *
 *     kept    the motor was at rest in time
 *     still   it never moved, for the fault came first
 *     early   it was at rest before the fault
 *     late    it was at rest after the bound
 *     moves   it never came to rest
 *     failed  it could not be started, or did too much to be noted
 *
 * Exit code 1 when one is late, moves or failed. */
#define _GNU_SOURCE 1
#include "emulate_starved.h"
#include "faults.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = 64, MOST_FAULTS = 1000000, REST_MS = 2000, SETTLE_MS = 60, DELAY_US = 100000,
	SOON_US = 40000, SOON_IN = 8, MOST_WAYS = 8 };

static const int64_t ms_ns = 1000000;

enum outcome { UNKNOWN, KEPT, STILL, LATE, MOVES, EARLY, FAILED, OUTCOMES };
static const char *const outcome_names[OUTCOMES] = { "unknown", "kept", "still", "late", "moves", "early", "failed" };

struct verdict {
	enum outcome outcome;
	enum way way;
	unsigned kind;
	int64_t rest, bound, widened; /* nanoseconds from the fault; how much of the bound's widening was needed */
};

struct options {
	struct bench bench;
	unsigned faults, seconds, jobs, ways; /* it stops after so many faults or seconds */
	uint64_t seed;
	int64_t only;              /* -1: all */
	bool kinds[FAULT_KINDS];   /* none: all, but the others */
	bool others[FAULT_KINDS];
};

static struct verdict *verdicts; /* shared with the processes that make the faults */

/* --- One fault */

/* It may rest again: on a machine that is slow a whole motion passes between two turns of this process. */
static bool rig_has_moved(const struct rig *rig)
{
	return log_motion(rig->log).first != 0;
}

static void choose(struct rig *rig, const struct fault *fault, unsigned ways)
{
	enum way possible[MOST_WAYS];
	unsigned n = 0;
	for (unsigned way = 1; way <= WAY_LISTEN; way <<= 1) {
		if ((way & fault->ways & ways) != 0)
			possible[n++] = (enum way)way;
	}
	rig->way = n == 0 ? 0 : possible[cable_random(&rig->seed) % n];
	const unsigned whims = (unsigned)cable_random(&rig->seed);
	rig->habits = fault->habits | (whims & (fault->limit == NULL ? CLIENT_REPORTED | CLIENT_HALF : CLIENT_HALF));
	if ((whims >> 8) % 4 == 0)
		rig->habits |= CLIENT_READS_NOT;
	rig->limit = fault->limit;
	rig->cable.slow = (whims & 0x40) != 0;
}

/* For how long those whom bytes pass have waited for a processor, as far as the system counts that: the clients, the bridge and the
 * device, if they live. What it does not count, this process has met too: by so much were its turns late, which end by a timer or by bytes. */
static int64_t waited(const struct rig *rig)
{
	const pid_t device = rig->device > 0 ? rig->device : rig->log->pid;
	int64_t clients = 0;
	for (int i = 0; i < RIG_CLIENTS; i++)
		clients += rig->clients[i] > 0 ? emulate_starved(rig->clients[i]) : 0;
	return clients + emulate_starved(rig->bridge) + emulate_starved(device) + rig->late;
}

/* What arrived late because they had no processor is taken as received then. */
static int64_t last_byte(const struct rig *rig, int64_t moment, int64_t waiting)
{
	const int64_t latest = moment + rig->allowed + waiting;
	if (rig->way == WAY_COMMAND)
		return latest;
	if (rig->cable.last <= moment || rig->cable.noisy)
		return moment;
	return rig->cable.last < latest ? rig->cable.last : latest;
}

/* After the last byte nothing more is given to the device: what it took then had waited in its own buffer. */
static uint32_t noticed(const struct rig *rig, int64_t last)
{
	const bool silent = rig->mute || (rig->way != WAY_COMMAND && rig->cable.last <= last);
	if (rig->timed)
		return log_first_step(rig->log);
	return silent ? log_last_taken(rig->log) : log_begun_after(rig->log, rig->struck, last);
}

/* What ends the motion: the longest time, or the lease. */
static struct promise promise_of(const struct rig *rig)
{
	struct promise promise = rig->bench->promise;
	if (rig->timed)
		promise.lease = 0;
	else
		promise.longest = 0;
	return promise;
}

static int64_t promised(const struct rig *rig)
{
	const struct promise promise = promise_of(rig);
	return (promise.lease + promise.ramp + promise.step) * ms_ns;
}

static enum outcome outcome_of(const struct motion *motion, int64_t moment, bool in_time)
{
	if (motion->full)
		return FAILED;
	if (motion->first == 0)
		return STILL;
	if (!motion->rests)
		return MOVES;
	return !in_time ? LATE : motion->last < moment ? EARLY : KEPT;
}

static int64_t waited_before;

/* Its motion has ended, or by its own clock goes on for much longer than anything can. */
static bool rig_is_over(const struct rig *rig)
{
	const uint32_t ms = log_ms_since(rig->log, rig->struck);
	if (!log_is_open(rig->log) || !rig_lives(rig))
		return true;
	return ms > REST_MS && ms > REST_MS + (waited(rig) - waited_before) / ms_ns;
}

static void judge(struct rig *rig, int64_t moment, struct verdict *verdict)
{
	rig_run(rig, log_now() + 1, NULL); /* what a board has said before */
	rig->struck = log_count(rig->log);
	waited_before = waited(rig);
	rig_run(rig, INT64_MAX, rig_is_over);
	const int64_t last = last_byte(rig, moment, waited(rig) - waited_before);
	rig_run(rig, log_now() + (SETTLE_MS + rig->settle) * ms_ns, NULL);
	const struct motion motion = log_motion(rig->log);
	const struct promise promise = promise_of(rig);
	const int64_t plain = moment + promised(rig) + rig->allowed;
	const struct log_entry *const due = &rig->log->entries[log_due(rig->log, noticed(rig, last), promise)];
	const int64_t bound = due->ns + promise.step * ms_ns;
	const int32_t late = (int32_t)(rig->log->entries[motion.at].ms - due->ms);
	verdict->rest = motion.last > moment ? motion.last - moment : 0;
	verdict->bound = (bound > plain ? bound : plain) - moment;
	verdict->widened = motion.last > plain ? motion.last - plain : 0;
	verdict->outcome = outcome_of(&motion, moment, motion.last <= plain || late <= (int32_t)promise.step);
}

/* When the motor has made its first step, and a while later. False: it moves no more, or never has. */
static bool run_until_fault(struct rig *rig, struct verdict *verdict)
{
	rig_run(rig, INT64_MAX, rig_has_moved);
	const int64_t first = log_motion(rig->log).first;
	const unsigned longest = DELAY_US >> cable_random(&rig->seed) % 8; /* half of all within a few milliseconds */
	rig_run(rig, first + (int64_t)(cable_random(&rig->seed) % longest) * 1000, NULL);
	verdict->outcome = first == 0 ? FAILED : EARLY;
	return log_moves(rig->log);
}

/* Whatever becomes of the call: it has come to rest by then. */
static void make_fault_soon(struct rig *rig, const struct fault *fault, struct verdict *verdict)
{
	if (fault->time == FAULT_SOON)
		rig_run(rig, log_now() + (int64_t)(cable_random(&rig->seed) % SOON_US) * 1000, NULL);
	rig->log->struck = 1;
	const int64_t moment = fault->strike(rig);
	rig_run(rig, moment + promised(rig), NULL);
	judge(rig, moment, verdict);
}

static void make_fault(struct rig *rig, const struct fault *fault, struct verdict *verdict)
{
	const bool soon = fault->time == FAULT_SOON && cable_random(&rig->seed) % SOON_IN == 0;
	if (soon || fault->time == FAULT_FIRST) {
		make_fault_soon(rig, fault, verdict);
	} else if (run_until_fault(rig, verdict)) {
		judge(rig, fault->strike(rig), verdict);
	}
}

static void run(const struct options *o, unsigned index, unsigned kind)
{
	static struct rig rig;
	struct verdict *const verdict = &verdicts[index];
	rig = (struct rig){ .bench = &o->bench, .seed = o->seed * 1000003 + index };
	cable_random(&rig.seed);
	choose(&rig, &faults[kind], o->ways);
	*verdict = (struct verdict){ .outcome = FAILED, .way = rig.way, .kind = kind };
	if (rig_start(&rig, index))
		make_fault(&rig, &faults[kind], verdict);
	rig_end(&rig);
}

/* --- All of them */

static unsigned kind_of(const struct options *o, unsigned index)
{
	unsigned kinds[FAULT_KINDS], n = 0;
	for (unsigned i = 0; i < FAULT_KINDS; i++) {
		if (o->kinds[i] && (faults[i].ways & o->ways) != 0)
			kinds[n++] = i;
	}
	return kinds[index % n];
}

/* In a process of its own: its end ends those that it has started. */
static pid_t start(const struct options *o, unsigned index)
{
	fflush(stdout);
	const pid_t parent = getpid();
	const pid_t pid = fork();
	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1);
	signal(SIGPIPE, SIG_IGN);
	if (getppid() == parent)
		run(o, index, kind_of(o, index));
	_exit(0);
}

static bool show(const struct options *o, unsigned index)
{
	const struct verdict *const v = &verdicts[index];
	printf("%u %s %u %lld %lld %lld %s\n", index, faults[kind_of(o, index)].name, (unsigned)v->way, (long long)v->rest / 1000,
		(long long)v->bound / 1000, (long long)v->widened / 1000, outcome_names[v->outcome]);
	return v->outcome == KEPT || v->outcome == STILL || v->outcome == EARLY;
}

/* Waits for any of those that run; its index. */
static unsigned next_done(pid_t *running, const unsigned *indices, unsigned jobs)
{
	const pid_t pid = wait(NULL);
	unsigned job = 0;
	while (job + 1 < jobs && running[job] != pid)
		job++;
	running[job] = 0;
	return indices[job];
}

static unsigned free_job(const pid_t *running)
{
	unsigned job = 0;
	while (running[job] != 0)
		job++;
	return job;
}

/* Which are under way, and which comes next. */
struct jobs {
	pid_t running[MOST_JOBS];
	unsigned indices[MOST_JOBS], live, next, end;
	int64_t over;
};

static void start_next(const struct options *o, struct jobs *jobs)
{
	const unsigned job = free_job(jobs->running);
	jobs->indices[job] = jobs->next;
	jobs->running[job] = start(o, jobs->next++);
	jobs->live++;
}

static bool end_next(const struct options *o, struct jobs *jobs)
{
	jobs->live--;
	return show(o, next_done(jobs->running, jobs->indices, MOST_JOBS));
}

static bool run_all(const struct options *o)
{
	static struct jobs jobs;
	jobs.next = o->only < 0 ? 0 : (unsigned)o->only;
	jobs.end = o->only < 0 ? o->faults : jobs.next + 1;
	jobs.over = log_now() + o->seconds * 1000 * ms_ns;
	bool good = true;
	while (jobs.next < jobs.end || jobs.live > 0) {
		if (log_now() >= jobs.over)
			jobs.end = jobs.next;
		if (jobs.next < jobs.end && jobs.live < o->jobs)
			start_next(o, &jobs);
		else if (jobs.live > 0)
			good = end_next(o, &jobs) && good;
	}
	return good;
}

/* --- Options */

static bool find_kind(bool kinds[FAULT_KINDS], const char *name)
{
	for (unsigned i = 0; i < FAULT_KINDS; i++) {
		if (strcmp(faults[i].name, name) == 0)
			return kinds[i] = true;
	}
	return false;
}

static bool take_number(struct options *o, const char *name, const char *text)
{
	const struct { const char *name; unsigned *number; } numbers[] = { { "--faults", &o->faults }, { "--seconds", &o->seconds }, { "--jobs", &o->jobs },
		{ "--ways", &o->ways }, { "--lease", &o->bench.promise.lease }, { "--ramp", &o->bench.promise.ramp }, { "--longest", &o->bench.promise.longest } };
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		if (strcmp(numbers[i].name, name) == 0) {
			*numbers[i].number = (unsigned)strtoul(text, NULL, 0);
			return true;
		}
	}
	return false;
}

static bool take_option(struct options *o, const char *name, const char *text)
{
	if (strcmp(name, "--seed") == 0)
		o->seed = strtoull(text, NULL, 0);
	else if (strcmp(name, "--only") == 0)
		o->only = atoll(text);
	else if (strcmp(name, "--bridge") == 0)
		o->bench.bridge = text;
	else if (strcmp(name, "--defect") == 0)
		o->bench.defect = text;
	else if (strcmp(name, "--kind") == 0)
		return find_kind(o->kinds, text);
	else if (strcmp(name, "--but") == 0)
		return find_kind(o->others, text);
	else
		return take_number(o, name, text);
	return true;
}

static bool take_options(struct options *o, char **argv)
{
	for (argv++; *argv != NULL && strncmp(*argv, "--", 2) == 0; argv++) {
		if (strcmp(*argv, "--loud") == 0)
			o->bench.loud = true;
		else if (strcmp(*argv, "--board") == 0)
			o->bench.defect = NULL;
		else if (argv[1] == NULL || !take_option(o, argv[0], argv[1]))
			return false;
		else
			argv++;
	}
	o->bench.folder = *argv;
	o->bench.device = argv + 1;
	return argv[0] != NULL && argv[1] != NULL && o->faults <= MOST_FAULTS && o->jobs > 0 && o->jobs <= MOST_JOBS;
}

/* All kinds but some, when none is named. False when none of them is possible by the ways that may be taken. */
static bool choose_kinds(struct options *o)
{
	bool named = false, possible = false;
	for (unsigned i = 0; i < FAULT_KINDS; i++)
		named = named || o->kinds[i];
	for (unsigned i = 0; i < FAULT_KINDS; i++) {
		o->kinds[i] = (o->kinds[i] || !named) && !o->others[i];
		possible = possible || (o->kinds[i] && (faults[i].ways & o->ways) != 0);
	}
	return possible;
}

int main(int argc, char **argv)
{
	static struct options o = { .bench = { .bridge = "build/host/quash-bridge", .defect = "0", .promise = { 60, 30, 1, 250 } },
		.faults = 100, .seconds = 86400, .jobs = 8, .ways = ~0u, .seed = 1, .only = -1 };
	(void)argc;
	if (!take_options(&o, argv) || !choose_kinds(&o)) {
		fprintf(stderr, "safe: bad options, see tests/safe/main.c\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	verdicts = mmap(NULL, sizeof *verdicts * (MOST_FAULTS + 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return verdicts == MAP_FAILED || !run_all(&o);
}
