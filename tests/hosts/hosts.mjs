/* SPDX-License-Identifier: MIT
 * The agent hosts that are run: what each is given in its home, how it is started, and what a user types. */

const escape = '\x1b', interrupt = '\x03', enter = '\r';

const json = (value) => `${JSON.stringify(value, null, '\t')}\n`;
const key = 'no-key-at-all';

/* Settings that Gemini CLI and its fork share. */
const geminiSettings = ({ command, args, env }, selectedType) => ({
	mcpServers: { device: { command, args, env, trust: true } },
	general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false, checkpointing: { enabled: false } },
	privacy: { usageStatisticsEnabled: false },
	telemetry: { enabled: false },
	ui: { hideTips: true, hideBanner: true },
	security: { auth: { selectedType }, folderTrust: { enabled: false } },
});

const codexFiles = (server, url, project) => ({ '.codex/config.toml': codexSettings(server, url).replace('PROJECT', project) });

const codexSettings = ({ command, args, env }, url) => `model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[projects."PROJECT"]
trust_level = "trusted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[mcp_servers.device]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
env = { ${Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')} }
required = true
`;

const openCodeSettings = ({ command, args, env }, url) => ({
	$schema: 'https://opencode.ai/config.json',
	autoupdate: false,
	share: 'disabled',
	snapshot: false,
	model: 'scripted/scripted',
	small_model: 'scripted/scripted',
	provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'scripted', options: { baseURL: `${url}/v1`, apiKey: key },
		models: { scripted: { name: 'scripted', tool_call: true, limit: { context: 100000, output: 10000 } } } } },
	mcp: { device: { type: 'local', command: [command, ...args], environment: env, enabled: true } },
	permission: { '*': 'allow' },
});

/* A path where no settings of the machine are. */
const nowhere = (home) => `${home}/no-settings.json`;

/** `files` are those of its home, by path; `words` how it is started with a prompt; `stop` is what a user types to stop a
 * call, `stopped` what the host shows then, and `end` what a user types to leave. */
export const hosts = [
	{
		name: 'Codex CLI', package: '@openai/codex', program: 'codex',
		files: codexFiles,
		words: (prompt) => [prompt],
		env: () => ({ SCRIPTED_KEY: key }),
		stop: [escape], stopped: /interrupted/i, end: [interrupt, '3', enter],
	},
	{
		name: 'Gemini CLI', package: '@google/gemini-cli', program: 'gemini', acp: ['--model', 'gemini-2.5-flash', '--acp'],
		files: (server) => ({ '.gemini/settings.json': json(geminiSettings(server, 'gemini-api-key')) }),
		words: (prompt) => ['--model', 'gemini-2.5-flash', '--approval-mode', 'yolo', '--prompt-interactive', prompt],
		env: (url, home) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url,
			GEMINI_CLI_SYSTEM_SETTINGS_PATH: nowhere(home), GEMINI_CLI_SYSTEM_DEFAULTS_PATH: nowhere(home) }),
		stop: [escape], stopped: /Request cancelled/, end: [interrupt, interrupt, interrupt],
	},
	{
		name: 'Qwen Code', package: '@qwen-code/qwen-code', program: 'qwen', acp: ['--acp'],
		files: (server) => ({ '.qwen/settings.json': json(geminiSettings(server, 'openai')) }),
		words: (prompt) => ['--approval-mode', 'yolo', '--prompt-interactive', prompt],
		env: (url, home) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted',
			QWEN_CODE_SYSTEM_SETTINGS_PATH: nowhere(home), QWEN_CODE_SYSTEM_DEFAULTS_PATH: nowhere(home) }),
		stop: [escape], stopped: /cancell?ed/i, end: [interrupt, interrupt, interrupt],
	},
	{
		name: 'opencode', package: 'opencode-ai', program: 'opencode', acp: ['acp'],
		files: (server, url) => ({ '.config/opencode/opencode.json': json(openCodeSettings(server, url)),
			'.local/state/opencode/kv.json': json({ animations_enabled: false }) }),
		words: (prompt) => ['--prompt', prompt],
		env: () => Object.fromEntries(['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'EMBEDDED_WEB_UI', 'SHARE', 'FFF', 'MOUSE']
			.map((what) => [`OPENCODE_DISABLE_${what}`, '1'])),
		stop: [escape, escape], stopped: /interrupted/, end: [interrupt, interrupt, interrupt],
	},
];

/** Those that are agents of ACP, with the words by which they are; `codex-acp` is for Codex what others have themselves. */
export const agents = [
	{ name: 'codex-acp', package: '@zed-industries/codex-acp', program: 'codex-acp', acp: [], files: codexFiles, env: () => ({ SCRIPTED_KEY: key }) },
	...hosts.filter(({ acp }) => acp),
];
