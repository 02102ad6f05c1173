#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh [PROGRAM...]: installs the agent hosts and runs them where there is no network but loopback, and without the settings
# that a machine has for all of its users.
set -u

here=$(cd "$(dirname "$0")" && pwd)
"$here/../common/npm/install.sh" all || echo "the agent hosts of tests/common/npm/package.json are not installed" >&2

# shellcheck disable=SC2016
alone='ip link set lo up || exit 1
for settings in /etc/codex /etc/gemini-cli /etc/qwen-code /etc/opencode; do
	[ ! -d "$settings" ] || mount -t tmpfs none "$settings" || exit 1
done
exec "$@"'
if unshare -rnm sh -c "$alone" sh true 2>/dev/null; then
	HOSTS_NETWORK=none exec unshare -rnm sh -c "$alone" sh node "$here/run.mjs" "$@"
fi
echo "no network namespace can be made here: proxies that lead nowhere stand in for it" >&2
HOSTS_NETWORK=proxies exec node "$here/run.mjs" "$@"
