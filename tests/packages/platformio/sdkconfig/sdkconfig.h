/* SPDX-License-Identifier: MIT
 * STUB: ESP-IDF writes this file from a project's configuration. */
