/* SPDX-License-Identifier: MIT */
export const serialOf = (window) => window.navigator.serial;
export class SerialBoard {}
