/* SPDX-License-Identifier: MIT
 * The page. */

document.querySelector('#log').textContent = document.querySelector('#engine') ? 'one file' : 'served';
