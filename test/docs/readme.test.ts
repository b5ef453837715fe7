// Checks the documents against the code: commands, paths, settings and calls of the API.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { START_DEFAULTS } from '../../cli/start/child-settings.ts';
import { SETTINGS } from '../../core/config.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }).sort(),
];
const readme = read('README.md');

/** The output of a build, which a fresh clone does not have. */
const BUILT = new Set(['dashboard/dist']);

/** The contents of code blocks in one language. */
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , body = '']) => body);

/** The text without code blocks, which show output and payloads. */
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

describe.each(documents)('%s', (document) => {
  const text = read(document);

  it('links to existing targets', () => {
    const links = [...prose(text).matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)/g)];
    const isDead = ([, path = '', anchor = '']: RegExpExecArray): boolean => {
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== '' && !anchorsOf(read(target)).has(anchor);
    };
    expect(links.filter(isDead).map(([link]) => link)).toEqual([]);
  });

  it('names existing files and folders', () => {
    const tops = globSync('*', { cwd: ROOT });
    const cited = [...prose(text).matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)].map(([, path = '']) => path);
    const paths = cited.filter((path) => path.includes('/') && tops.includes(path.split('/')[0] ?? ''));
    expect(paths.filter((path) => !existsSync(join(ROOT, path)) && !BUILT.has(path))).toEqual([]);
  });

  it('names existing commands', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    const run = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    const short = [...text.matchAll(/npm (start|test)\b/g)].map(([, name = '']) => name);
    expect([...run, ...short].filter((name) => !(name in scripts))).toEqual([]);
    const commands = [...read('cli/program.ts').matchAll(/\.command\('(\w+)'\)/g)].map(([, name]) => name);
    const used = [...text.matchAll(/node cli\/main\.ts (\w+)/g)].map(([, name]) => name);
    expect(commands).toContain('start');
    expect(used.filter((name) => !commands.includes(name))).toEqual([]);
  });

  it('names existing settings', () => {
    const names: string[] = Object.values(SETTINGS).map(({ name }) => name);
    const likeSettings =
      /`(DATABASE_\w+|TEMPORAL_(?:ADDRESS|NAMESPACE)|\w+_(?:SECONDS|SCHEDULE|KEYS|LEVEL|STORE|HOME))`/g;
    const named = [...text.matchAll(likeSettings)].map(([, name = '']) => name);
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('calls existing operations', () => {
    expect(callsIn(text).filter(({ method, path }) => !isOperation(method, path))).toEqual([]);
  });
});

it('regression: no text tells users to run the unpublished package with npx', () => {
  const sources = globSync('{api,cli,core,dashboard/src,demo}/**/*.{ts,tsx,txt,html,js}', { cwd: ROOT });
  const shown = [...documents, ...sources, 'package.json', 'docker-compose.yml', '.env.example'];
  expect(shown.length).toBeGreaterThan(500);
  // Matches options, versions and npm's other commands too.
  const runsIt = /\b(npx|npm (exec|x|i|install|create)|pnpm dlx|yarn dlx|bunx)( +-\S+)* +recordwatch\b/;
  expect(shown.filter((path) => runsIt.test(read(path)))).toEqual([]);
});

/** The headings of a document as GitHub links to them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map(
      (heading) =>
        `#${heading
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-')}`,
    ),
  );
}

interface Call {
  method: string;
  path: string;
}

/** The curl calls of the API in a document. */
function callsIn(text: string): Call[] {
  const lines = blocks(text, 'sh').flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  return lines.flatMap((line) => {
    const [, path] = /\bcurl\b[^|]*?"\$BASE(\/[^"?]*)/.exec(line) ?? [];
    if (path === undefined) return [];
    const [, given] = /\s-X (\w+)/.exec(line) ?? [];
    return [{ method: given ?? (/\s-d ['"]\{/.test(line) ? 'POST' : 'GET'), path }];
  });
}

function isOperation(method: string, path: string): boolean {
  if (method === 'GET' && (path === '/healthz' || path === '/readyz')) return true;
  return OPERATIONS.some(({ http }) => {
    const pattern = http.path.replaceAll(/:\w+/g, '[^/]+');
    return http.method === method && new RegExp(`^${pattern}$`).test(path);
  });
}

const operations = read('docs/operations.md');

describe('README.md', () => {
  it('begins with the two commands', () => {
    expect(blocks(readme, 'sh')[0]).toBe('npm ci\nnpm start\n');
  });

  it('names the command that runs the tests before a change lands', () => {
    expect(blocks(readme, 'sh')).toContain('npm ci\nnpm test\n');
    expect(read('.ci/run')).toMatch(/^npm ci\n[\s\S]*^npm test$/m);
  });

  it('has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('uses commands of the guides, which their tests run', () => {
    const [, walk = ''] = /^## Try the API\n([\s\S]*?)^## /m.exec(readme) ?? [];
    const commands = blocks(walk, 'sh').flatMap((block) => block.trimEnd().split('\n\n'));
    const guides = ['docs/guide.md', 'docs/webhooks.md', 'docs/mcp.md'].map(read);
    const steps = new Set(guides.flatMap((guide) => blocks(guide, 'sh')).map((block) => block.trimEnd()));
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((command) => !steps.has(command))).toEqual([]);
  });

  it('leads from an anonymous session over polling to a webhook and MCP', () => {
    const calls = callsIn(readme).map(({ method, path }) => `${method} ${path}`);
    expect(calls).toEqual(
      expect.arrayContaining([
        'POST /v1/sessions',
        'POST /v1/sources/self/keep',
        'POST /v1/sources/licences/apikeys',
        'GET /v1/sources/self/delta',
        'POST /v1/sources/spdx-licences/webhooks',
      ]),
    );
    expect(readme).toContain('claude mcp add');
  });

  it('shows every picture of the documents, except for those that operations.md shows', () => {
    const pictures = globSync('docs/images/*', { cwd: ROOT });
    expect(pictures.length).toBeGreaterThan(0);
    const shown = readme + operations.replaceAll('](images/', '](docs/images/');
    expect(pictures.filter((path) => !shown.includes(`](${path})`))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('names every folder of the code', () => {
    const [, layout = ''] = read('docs/architecture.md').split('## Layers');
    const folders = globSync('*/', { cwd: ROOT }).filter(
      (name) => name !== 'node_modules' && name !== 'docs',
    );
    expect(folders).toContain('core');
    expect(folders.filter((name) => !layout.includes(`\`${name}/\``))).toEqual([]);
  });
});

describe('docs/where.md', () => {
  const [, text = ''] = read('docs/where.md').split('\n## Walks\n');
  const walks = text
    .split('\n### ')
    .slice(1)
    .map((walk) => {
      const [, value = '', limit] = /^(.+) \(at most (\d+) files\)\n/.exec(walk) ?? [];
      const steps = [...walk.matchAll(/^(\d+)\. `([^`]+)`: /gm)];
      return {
        value,
        limit: Number(limit),
        numbers: steps.map(([, number]) => Number(number)),
        paths: steps.map(([, , path = '']) => path),
      };
    });

  it('has the four walks with their limits', () => {
    expect(walks.map(({ value, limit }) => [value, limit])).toEqual([
      ["A changed row, from the body to the webhook's payload", 18],
      ['A bearer token, from the request to the SQL', 8],
      ["A webhook's secret, from the request to the signature", 9],
      ['A changed interval, from the PATCH to the timer', 8],
    ]);
  });

  it.each(walks)(
    'leads through existing files, no more than the limit: $value',
    ({ limit, numbers, paths }) => {
      expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
      expect(numbers).toEqual([...new Set(paths)].map((_path, at) => at + 1));
      expect(paths.length).toBeGreaterThan(1);
      expect(paths.length).toBeLessThanOrEqual(limit);
    },
  );
});

describe('docs/operations.md', () => {
  it('has every setting, in order, with meaning and defaults', () => {
    const [, table = ''] = /^\| Setting .*\n\|[ |-]+\n((?:\|.*\n)+)/m.exec(operations) ?? [];
    const rows = table
      .trimEnd()
      .split('\n')
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      );
    expect(rows).toEqual(
      Object.values(SETTINGS).map(({ name, help, fallback }) => [
        name,
        help,
        fallback,
        START_DEFAULTS[name] ?? '',
      ]),
    );
  });
});

describe('docs/webhooks.md', () => {
  it('shows valid JSON', () => {
    const examples = blocks(read('docs/webhooks.md'), 'json');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(() => JSON.parse(example)).not.toThrow();
  });
});
