/* SPDX-License-Identifier: MIT
 * Errors of the system in the words of its C library, which the native program has. */

import { getSystemErrorMap } from 'node:util';

const words = {
	E2BIG: 'Argument list too long', EACCES: 'Permission denied', EADDRINUSE: 'Address already in use', EADDRNOTAVAIL: 'Cannot assign requested address',
	EAFNOSUPPORT: 'Address family not supported by protocol', ECONNREFUSED: 'Connection refused', ECONNRESET: 'Connection reset by peer',
	EHOSTUNREACH: 'No route to host', EINVAL: 'Invalid argument', EIO: 'Input/output error', EISDIR: 'Is a directory', ELOOP: 'Too many levels of symbolic links',
	EMFILE: 'Too many open files', ENAMETOOLONG: 'File name too long', ENETUNREACH: 'Network is unreachable', ENODEV: 'No such device',
	ENOENT: 'No such file or directory', ENOEXEC: 'Exec format error', ENOSPC: 'No space left on device', ENOTDIR: 'Not a directory',
	ENOTTY: 'Inappropriate ioctl for device', ENXIO: 'No such device or address', EPERM: 'Operation not permitted', EPIPE: 'Broken pipe',
	EROFS: 'Read-only file system', ETIMEDOUT: 'Connection timed out', ETXTBSY: 'Text file busy',
};

/** What has happened, of an error of Node's. */
export const wordsOf = ({ code, errno, message }) => words[code] ?? getSystemErrorMap().get(errno)?.[1] ?? message;
