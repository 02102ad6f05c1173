/* SPDX-License-Identifier: MIT
 * ptys [--unplugged] [--fresh] LINK -- COMMAND [ARG...]
 *
 * A device on a cable that can be pulled: the stdin and stdout of COMMAND on a pseudo terminal (raw, no echo), to which the
 * symbolic link LINK leads. SIGUSR1 pulls the cable: the terminal hangs up, and LINK is gone. SIGUSR2 plugs it in: a new
 * terminal, and LINK again. --unplugged: it begins without. --fresh: the device has its power from the cable, so COMMAND
 * is killed with it and started with it; otherwise COMMAND runs all the time. What COMMAND writes while nobody has the
 * terminal open is lost, as on a serial line. For slow bytes COMMAND is `emulate --baud N ...`.
 *
 * SIGTERM, SIGINT, SIGHUP and the end of our parent end COMMAND and us, with exit code 0. When COMMAND has ended by itself:
 * --fresh unplugs; otherwise the exit code is 1. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#if defined __linux__
#include <sys/prctl.h>
#endif

enum { EXIT_COMMAND_GONE = 1, EXIT_BAD_OPTION = 2, EXIT_TROUBLE = 3 };
enum { LOOK_MS = 5, PATIENCE_MS = 1000, NAME_MAX_SIZE = 1024 };

/* One way: what was read and not written yet. */
struct way {
	size_t at, length;
	char bytes[4096];
};

struct cable {
	const char *link;
	bool fresh;
	int master;  /* -1: unplugged */
	bool unheld; /* nobody has the terminal open */
	struct way down, up;
};

/* `pid` 0: it does not run. */
struct command {
	char **words;
	pid_t pid;
	int in, out;
};

static volatile sig_atomic_t pulled, plugged, stopped;
static sigset_t before_us;

static void on_signal(int number)
{
	switch (number) {
	case SIGUSR1: pulled = 1; break;
	case SIGUSR2: plugged = 1; break;
	default: stopped = 1; break;
	}
}

/* They come while we wait, and at no other time. */
static void catch_signals(void)
{
	static const int numbers[] = { SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGHUP };
	struct sigaction action;
	sigset_t ours;
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		sigaddset(&ours, numbers[i]);
		sigaction(numbers[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &ours, &before_us);
}

static void end_with_parent(int number)
{
#if defined __linux__
	prctl(PR_SET_PDEATHSIG, number);
#else
	(void)number;
#endif
}

static void pause_ms(long ms)
{
	const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	nanosleep(&t, NULL);
}

/* --- The command */

static void become(char **words, int in, int out)
{
	end_with_parent(SIGKILL);
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before_us, NULL);
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execvp(words[0], words);
	fprintf(stderr, "ptys: %s: %s\n", words[0], strerror(errno));
	_exit(EXIT_BAD_OPTION);
}

static bool start(struct command *command)
{
	int to[2], from[2];
	if (pipe2(to, O_CLOEXEC) != 0)
		return false;
	if (pipe2(from, O_CLOEXEC) != 0)
		return close(to[0]), close(to[1]), false;
	command->pid = fork();
	if (command->pid == 0)
		become(command->words, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	command->in = to[1];
	command->out = from[0];
	fcntl(command->in, F_SETFL, O_NONBLOCK);
	return command->pid > 0;
}

static bool has_ended(struct command *command)
{
	return waitpid(command->pid, NULL, WNOHANG) != 0;
}

/* `number`: the signal to begin with. */
static void end(struct command *command, int number)
{
	if (command->pid == 0)
		return;
	close(command->in);
	close(command->out);
	kill(-command->pid, number);
	for (int ms = 0; ms < PATIENCE_MS && !has_ended(command); ms += LOOK_MS)
		pause_ms(LOOK_MS);
	kill(-command->pid, SIGKILL);
	waitpid(command->pid, NULL, 0);
	command->pid = 0;
}

/* --- The cable */

static void make_raw(int terminal)
{
	struct termios t;
	if (tcgetattr(terminal, &t) != 0)
		return;
	cfmakeraw(&t);
	tcsetattr(terminal, TCSANOW, &t);
}

/* Whoever finds LINK finds a terminal that is ready. */
static bool name_it(const struct cable *cable, const char *terminal)
{
	char beside[NAME_MAX_SIZE];
	snprintf(beside, sizeof beside, "%s.new", cable->link);
	unlink(beside);
	return symlink(terminal, beside) == 0 && rename(beside, cable->link) == 0;
}

/* Opened and closed once, the terminal shows from then on whether somebody has it open. */
static bool prepare(const struct cable *cable, const char *terminal)
{
	const int fd = terminal == NULL ? -1 : open(terminal, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	make_raw(fd);
	close(fd);
	return name_it(cable, terminal);
}

static bool plug(struct cable *cable)
{
	if (cable->master >= 0)
		return true;
	cable->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	cable->unheld = true;
	return cable->master >= 0 && grantpt(cable->master) == 0 && unlockpt(cable->master) == 0 &&
		prepare(cable, ptsname(cable->master));
}

static void unplug(struct cable *cable)
{
	if (cable->master < 0)
		return;
	unlink(cable->link);
	close(cable->master);
	cable->master = -1;
	cable->down.length = cable->up.length = 0;
}

/* --- What passes */

static bool is_full(const struct way *way)
{
	return way->length > 0;
}

/* False: there is no more to be had. */
static bool fill(struct way *way, int from)
{
	const ssize_t n = read(from, way->bytes, sizeof way->bytes);
	way->at = 0;
	way->length = n > 0 ? (size_t)n : 0;
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void flush(struct way *way, int to)
{
	const ssize_t n = write(to, way->bytes + way->at, way->length - way->at);
	if (n > 0)
		way->at += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		way->length = 0;
	if (way->at == way->length)
		way->length = 0;
}

static void look_for_holder(struct cable *cable)
{
	struct pollfd fd = { .fd = cable->master, .events = POLLIN };
	cable->unheld = cable->master < 0 ||
		(poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLIN)) == POLLHUP);
}

static struct pollfd wish_down(const struct cable *cable, const struct command *command)
{
	if (is_full(&cable->down))
		return (struct pollfd){ .fd = command->in, .events = POLLOUT };
	return (struct pollfd){ .fd = cable->unheld ? -1 : cable->master, .events = POLLIN };
}

static struct pollfd wish_up(const struct cable *cable, const struct command *command)
{
	if (is_full(&cable->up))
		return (struct pollfd){ .fd = cable->master, .events = POLLOUT };
	return (struct pollfd){ .fd = command->pid > 0 ? command->out : -1, .events = POLLIN };
}

static void pass_down(struct cable *cable, const struct command *command)
{
	if (is_full(&cable->down))
		flush(&cable->down, command->in);
	else if (!fill(&cable->down, cable->master))
		cable->unheld = true;
}

/* False: the command writes no more. */
static bool pass_up(struct cable *cable, const struct command *command)
{
	if (!is_full(&cable->up))
		return fill(&cable->up, command->out);
	flush(&cable->up, cable->master);
	return true;
}

/* Waits, and moves what can be moved. False: the command writes no more. */
static bool pass(struct cable *cable, const struct command *command)
{
	static const struct timespec look = { .tv_nsec = LOOK_MS * 1000000L };
	struct pollfd fds[2] = { wish_down(cable, command), wish_up(cable, command) };
	if (ppoll(fds, 2, cable->unheld && cable->master >= 0 ? &look : NULL, &before_us) < 0)
		return true;
	if (fds[0].revents != 0)
		pass_down(cable, command);
	const bool more = fds[1].revents == 0 || pass_up(cable, command);
	look_for_holder(cable);
	if (cable->unheld)
		cable->up.length = 0;
	return more;
}

/* --- What happens */

static void pull(struct cable *cable, struct command *command)
{
	pulled = 0;
	unplug(cable);
	if (cable->fresh)
		end(command, SIGKILL);
}

static bool put_in(struct cable *cable, struct command *command)
{
	plugged = 0;
	return plug(cable) && (command->pid > 0 || start(command));
}

static int in_trouble(const struct cable *cable)
{
	fprintf(stderr, "ptys: %s: %s\n", cable->link, strerror(errno));
	return EXIT_TROUBLE;
}

/* The exit code. */
static int run(struct cable *cable, struct command *command)
{
	while (!stopped) {
		if (pulled)
			pull(cable, command);
		if (plugged && !put_in(cable, command))
			return in_trouble(cable);
		if (pass(cable, command))
			continue;
		if (!cable->fresh)
			return EXIT_COMMAND_GONE;
		pulled = 1;
	}
	return 0;
}

/* --- Options */

static bool read_options(struct cable *cable, struct command *command, char **argv)
{
	plugged = 1;
	for (argv++; *argv != NULL && **argv == '-'; argv++) {
		if (strcmp(*argv, "--unplugged") == 0)
			plugged = 0;
		else if (strcmp(*argv, "--fresh") == 0)
			cable->fresh = true;
		else
			return false;
	}
	if (argv[0] == NULL || argv[1] == NULL || strcmp(argv[1], "--") != 0 || argv[2] == NULL)
		return false;
	cable->link = argv[0];
	command->words = &argv[2];
	return strlen(cable->link) + sizeof ".new" <= NAME_MAX_SIZE;
}

int main(int argc, char **argv)
{
	static struct cable cable = { .master = -1, .unheld = true };
	struct command command = { .pid = 0 };
	if (argc < 1 || !read_options(&cable, &command, argv)) {
		fprintf(stderr, "ptys: ptys [--unplugged] [--fresh] LINK -- COMMAND [ARG...]\n");
		return EXIT_BAD_OPTION;
	}
	catch_signals();
	end_with_parent(SIGTERM);
	if (!cable.fresh && !start(&command))
		return in_trouble(&cable);
	const int code = run(&cable, &command);
	unplug(&cable);
	end(&command, SIGTERM);
	return code;
}
