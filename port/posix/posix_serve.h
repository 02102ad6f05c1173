/* SPDX-License-Identifier: MIT
 * A whole program around a config: the loop on stdin and stdout, the end of input, signals.
 *
 *     int main(void) { return posix_stdio_serve(&config); }
 *
 * What moves is at rest before these functions return, whatever ends them:
 *
 * - *The end of input.* All that was read is received. What has a lease is cancelled at once and begins no more, as no sign
 *   of life can come (`quash_input_end`). The rest goes on for `grace` milliseconds, then it is cancelled.
 * - *stdout is gone*, as when the client was killed: everything is cancelled at once, nothing is answered.
 * - *SIGTERM, SIGINT or SIGHUP*: everything is cancelled at once, and so is what is received after that. A second
 *   signal changes nothing. One that was ignored when the program was started (nohup) stays ignored.
 * - *Whoever started the program has ended*, though its input stays open: the same, within half a second. posix_parent.h says
 *   which processes are watched, and when none is. For stdin and stdout alone, not for a listener.
 *
 * Cancelled handlers then have `rest` milliseconds to let go, and answers to leave. Whoever has an `end` hook is waited
 * for until that is done. That has no limit, also while its handler does not let go: a ramp takes its time. For
 * `tools/call` of MCP it is the tool's own hook that counts. A tool without one is given up after `rest`, as any
 * handler without one. Handlers of `session/prompt` and of LSP's methods have a hook of the library's. They are waited
 * for.
 *
 * Calling context: the program's main thread or any other, which is then the peer's. Not from handlers. One call at a
 * time in a process, as signals are the process's. Other threads may use what peer.h marks *anywhere*, but nothing of
 * it wakes the loop. A program whose threads bring results is for posix_threads.h. */
#ifndef POSIX_SERVE_H
#define POSIX_SERVE_H

#include "posix_stdio.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the functions below return, for `main`. For a signal it is 128 and its number, as shells have it. */
enum {
	POSIX_SERVED = 0,          /**< the input or the parent process has ended or stdout is gone, and everything has come to rest */
	POSIX_SERVE_ABANDONED = 1, /**< the same, but a handler without an `end` hook had not let go after `rest` */
	POSIX_SERVE_REFUSED = 2,   /**< `quash_init` refuses the config: each request was answered so, if that is possible */
	POSIX_SERVE_FAILED = 3     /**< signals cannot be caught: the system has no descriptors left */
};

/** How to serve. */
struct posix_serve {
	int in, out;        /**< open descriptors, which may be the same one; they are not closed */
	uint32_t grace;     /**< ms that what has no lease may go on for once the input has ended; UINT32_MAX: no limit */
	uint32_t rest;      /**< ms that handlers may take to let go, and answers to leave, once everything is cancelled */
	quash_fault *fault; /**< where to store what is wrong with the config, or NULL */
	bool no_watch_parent; /**< it goes on when its parent process has ended; false by default */
};

/** stdin, stdout, 1000, 2000, NULL, false. */
extern const struct posix_serve posix_serve_usual;

/** Serves stdin and stdout until one of the above has come. Blocks until then. While nothing is to be done it sleeps,
 * and while its parent is watched it looks for that twice a second.
 *
 * Takes over meanwhile, and gives back as found whenever it returns: O_NONBLOCK of both descriptors, and what SIGTERM,
 * SIGINT, SIGHUP and SIGPIPE do. The descriptors may be shared with the user's shell. SIGPIPE is ignored meanwhile. A
 * refused config is reported in a line on stderr, before anything is taken over. Nothing else is written there. It is
 * served all the same: each request is answered with what is wrong. It returns at once if the peer is silent.
 *
 * @param config  borrowed for the call, as are its tables and buffers. Its peer is on the stack of the call: handlers
 *                find it with `quash_peer_of`
 * @return        one of the above */
#define posix_stdio_serve QUASH_LINKED_(posix_stdio_serve) /* a program may call nothing else that knows its headers */
int posix_stdio_serve(const quash_config *config);

/** The same in another way; `how` is borrowed for the call. Descriptors that have no end of input, such as a terminal in
 * raw mode, end by signals alone. */
#define posix_stdio_serve_as QUASH_LINKED_(posix_stdio_serve_as)
int posix_stdio_serve_as(const quash_config *config, const struct posix_serve *how);

/** What listens, of posix_socket.h. */
struct posix_listener;

/** Serves the clients of a listener (posix_tcp.h, posix_unix.h), one after the other, until a signal has come. The next
 * one waits until the last has ended its half of the connection or is gone, and what it moved is at rest. For it
 * receiving and transmitting begin anew, with a new session (`quash_new_session`). In all else as `posix_stdio_serve`.
 * A client on TCP that vanishes is noticed as posix_tcp.h describes. Until then the next one waits, though what moves
 * stops by its lease. This function stands in posix_serve_socket.c.
 *
 * @param listener  borrowed for the call; it is not closed. Nothing else may take its clients meanwhile
 * @return          POSIX_SERVE_REFUSED, POSIX_SERVE_FAILED, or 128 and the signal's number */
#define posix_listener_serve QUASH_LINKED_(posix_listener_serve)
int posix_listener_serve(const quash_config *config, const struct posix_listener *listener);

/** The same in another way; `in` and `out` of `how` mean nothing. */
#define posix_listener_serve_as QUASH_LINKED_(posix_listener_serve_as)
int posix_listener_serve_as(const quash_config *config, const struct posix_listener *listener, const struct posix_serve *how);

/** For a handler that stays busy, in place of `quash_pump`: moves bytes both ways and looks at the clock, at the
 * descriptors and for signals. Call `quash_cancelled` after it. Only for the peer of a request that one of the above
 * serves. */
void posix_serve_pump(quash_peer *peer);

/* --- For programs with a loop of their own: docs/porting.md has it written out ------------------------------ */

/** Catches SIGTERM, SIGINT and SIGHUP from now on, but for those that are ignored. To be called once, before anything
 * moves; `posix_signals_give_back` comes before it is called again.
 *
 * @return 0 or an errno; then nothing is caught */
int posix_signals_catch(void);

/** The signal that has come since then, the latest of several; 0: none. On the loop's thread. */
int posix_signals_caught(void);

/** The exit code that shells give to a process which that signal has ended. */
int posix_signals_exit_code(void);

/** What is to be polled besides: readable once a signal has come, also when it came right before. Once
 * `posix_signals_caught` has returned one its descriptor is -1. So it ends no more sleep. */
struct pollfd posix_signals_poll(void);

/** Signals do again what they did before. Harmless when none is caught. */
void posix_signals_give_back(void);

/** Prints on stderr, in a line that begins with the program's name, what is wrong with a config. */
void posix_serve_explain(const char *program, const quash_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
