// Configurations to paste into common MCP clients. docs/mcp.md has the same texts.
import type { Access } from './access.ts';

/** One way to connect a client. */
interface Way {
  /** Where to put the text. */
  instruction: string;
  text: string;
  /** Names the text for screen readers. */
  what: string;
  /** The client opens a page in the browser on which a user allows it, so this needs an account. */
  needsAccount?: boolean;
}

export interface McpClient {
  id: string;
  name: string;
  waysOf: (access: Access) => Way[];
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const bearer = ({ credential }: Access): string => `Bearer ${credential}`;
const urlWithToken = ({ mcpUrl, credential }: Access): string => `${mcpUrl}?token=${credential}`;

const claudeCode: McpClient = {
  id: 'claude-code',
  name: 'Claude Code',
  waysOf: (access) => [
    {
      instruction: 'In a terminal:',
      text: `claude mcp add --transport http recordwatch ${access.mcpUrl} \\\n  --header "Authorization: ${bearer(access)}"`,
      what: 'the command for Claude Code',
    },
    {
      instruction: 'Or without a key: add the address, then choose Authenticate under /mcp.',
      text: `claude mcp add --transport http recordwatch ${access.mcpUrl}`,
      what: 'the command for Claude Code without a key',
      needsAccount: true,
    },
  ],
};

const claudeDesktop: McpClient = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  waysOf: (access) => [
    {
      instruction: 'In claude_desktop_config.json:',
      text: json({ mcpServers: { recordwatch: { command: 'npx', args: bridgeArguments(access) } } }),
      what: 'the configuration for Claude Desktop',
    },
    {
      instruction:
        'Or under Settings → Connectors → Add custom connector, which opens a page on which you allow it:',
      text: access.mcpUrl,
      what: 'the address for Claude Desktop',
      needsAccount: true,
    },
  ],
};

/** The bridge refuses unencrypted addresses without this option. */
const bridgeArguments = (access: Access): string[] => [
  'mcp-remote',
  access.mcpUrl,
  ...(access.mcpUrl.startsWith('http:') ? ['--allow-http'] : []),
  '--header',
  `Authorization: ${bearer(access)}`,
];

const claudeAi: McpClient = {
  id: 'claude-ai',
  name: 'claude.ai',
  waysOf: (access) => [
    {
      instruction:
        'Under Settings → Connectors → Add custom connector. It opens a page on which you allow it:',
      text: access.mcpUrl,
      what: 'the address for claude.ai',
      needsAccount: true,
    },
    {
      instruction: 'With a token in the address, under Settings → Connectors → Add custom connector:',
      text: urlWithToken(access),
      what: 'the address with a token for claude.ai',
    },
  ],
};

const chatGpt: McpClient = {
  id: 'chatgpt',
  name: 'ChatGPT',
  waysOf: (access) => [
    {
      instruction:
        'In developer mode, under Settings → Connectors → Create, with OAuth as authentication. It opens a page on which you allow it:',
      text: access.mcpUrl,
      what: 'the address for ChatGPT',
      needsAccount: true,
    },
    {
      instruction:
        'With a token in the address, under Settings → Connectors → Create, with no authentication:',
      text: urlWithToken(access),
      what: 'the address with a token for ChatGPT',
    },
  ],
};

const cursor: McpClient = {
  id: 'cursor',
  name: 'Cursor',
  waysOf: (access) => [
    {
      instruction: 'In .cursor/mcp.json:',
      text: json({
        mcpServers: { recordwatch: { url: access.mcpUrl, headers: { Authorization: bearer(access) } } },
      }),
      what: 'the configuration for Cursor',
    },
    {
      instruction: 'Or without a key: Cursor opens a page on which you allow it.',
      text: json({ mcpServers: { recordwatch: { url: access.mcpUrl } } }),
      what: 'the configuration for Cursor without a key',
      needsAccount: true,
    },
  ],
};

const vsCode: McpClient = {
  id: 'vscode',
  name: 'VS Code',
  waysOf: (access) => [
    {
      instruction: 'In .vscode/mcp.json. The key is not stored in it: VS Code asks for it once.',
      text: json({
        servers: {
          recordwatch: {
            type: 'http',
            url: access.mcpUrl,
            // VS Code fills this in, not this page.
            headers: { Authorization: `Bearer \${input:recordwatch-key}` },
          },
        },
        inputs: [
          { id: 'recordwatch-key', type: 'promptString', description: 'Recordwatch API key', password: true },
        ],
      }),
      what: 'the configuration for VS Code',
    },
    ...(access.hasCredential
      ? [{ instruction: 'It asks for:', text: access.credential, what: 'the value for VS Code' }]
      : []),
    {
      instruction: 'Or without a key: VS Code opens a page on which you allow it.',
      text: json({ servers: { recordwatch: { type: 'http', url: access.mcpUrl } } }),
      what: 'the configuration for VS Code without a key',
      needsAccount: true,
    },
  ],
};

const codex: McpClient = {
  id: 'codex',
  name: 'Codex',
  waysOf: (access) => [
    {
      instruction: 'In ~/.codex/config.toml:',
      text: `[mcp_servers.recordwatch]\nurl = "${access.mcpUrl}"\nbearer_token_env_var = "RECORDWATCH_KEY"`,
      what: 'the configuration for Codex',
    },
    {
      instruction: 'And in the shell that Codex is started from:',
      text: `export RECORDWATCH_KEY='${access.credential}'`,
      what: 'the environment for Codex',
    },
  ],
};

const other: McpClient = {
  id: 'other',
  name: 'Other',
  waysOf: (access) => [
    {
      instruction: `If the client can set a header (preferred), use the address ${access.mcpUrl} and:`,
      text: `Authorization: ${bearer(access)}`,
      what: 'the header',
    },
    {
      instruction: 'If it cannot, use the address with a token:',
      text: urlWithToken(access),
      what: 'the address with a token',
    },
    {
      instruction: 'To try it by hand:',
      text: `npx @modelcontextprotocol/inspector --cli ${access.mcpUrl} --transport http \\\n  --header "Authorization: ${bearer(access)}" --method tools/list`,
      what: 'the command of the inspector',
    },
    {
      instruction:
        'Clients that support OAuth need only the address; they open a page on which you allow them.',
      text: access.mcpUrl,
      what: 'the address for OAuth',
      needsAccount: true,
    },
  ],
};

export const MCP_CLIENTS: readonly McpClient[] = [
  claudeCode,
  claudeDesktop,
  claudeAi,
  chatGpt,
  cursor,
  vsCode,
  codex,
  other,
];
