// The systemd units and the Caddy example do what docker-compose.yml and the tested proxy do.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { caddyfile } from '../../cli/cluster/proxy.ts';

interface Compose {
  services: Record<
    string,
    { command?: string[]; environment?: Record<string, string>; stop_grace_period?: string }
  >;
}

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const isThere = (path: string): boolean => existsSync(new URL(path, ROOT));
// The parts of the Compose file that these tests use.
const compose: Compose = parse(read('docker-compose.yml'), { merge: true });

const UNITS = [
  ['api', 'recordwatch-api.service'],
  ['worker', 'recordwatch-worker@.service'],
  ['migrate', 'recordwatch-migrate.service'],
] as const;
const unitOf = (file: string): Map<string, string> =>
  new Map(
    read(`deploy/systemd/${file}`)
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

it.each(UNITS)('the systemd unit of %s runs what its container runs', (name, file) => {
  const unit = unitOf(file);
  const { command = [], stop_grace_period: grace } = compose.services[name] ?? {};
  const [node = '', ...args] = unit.get('ExecStart')?.split(' ') ?? [];
  expect(['node', ...args]).toEqual(command);
  expect(node).toBe(`${unit.get('WorkingDirectory')}/node_modules/.bin/node`);
  expect(args.filter((arg) => arg.endsWith('.ts')).every(isThere)).toBe(true);
  expect(unit.get('TimeoutStopSec')).toBe(grace?.replace(/s$/, ''));
});

it.each(UNITS)(
  'regression: the systemd unit of %s gives no secret that its container does not get',
  (name, file) => {
    const secrets = [
      'KEY_ENCRYPTION_KEYS',
      'TEMPORAL_CODEC_KEYS',
      'TEMPORAL_CODEC_TOKEN',
      'SMTP_URL',
      'BLOB_STORE',
    ];
    const given = Object.keys(compose.services[name]?.environment ?? {});
    const left = unitOf(file).get('UnsetEnvironment')?.split(' ') ?? [];
    expect(secrets.filter((secret) => !left.includes(secret))).toEqual(
      secrets.filter((secret) => given.includes(secret)),
    );
  },
);

it('regression: a failed migration is tried again, and neither it nor another run stops what waits for it', () => {
  for (const [name, file] of UNITS) {
    const unit = unitOf(file);
    const ordered = unit.get('After')?.includes('recordwatch-migrate') ?? false;
    const wanted = unit.get('Wants')?.includes('recordwatch-migrate') ?? false;
    expect([name, ordered, wanted]).toEqual([name, name !== 'migrate', name !== 'migrate']);
    expect([...unit.keys()]).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(Requires|BindsTo|PartOf)$/)])); // prettier-ignore
  }
  expect(unitOf('recordwatch-migrate.service').get('Restart')).toBe('on-failure');
});

it.each(UNITS.filter(([name]) => name !== 'migrate'))(
  'regression: the systemd unit of %s reads ports of its own, which its processes cannot share',
  (_name, file) => {
    const files = read(`deploy/systemd/${file}`).match(/(?<=^EnvironmentFile=).+$/gm);
    expect(files).toEqual(['/etc/recordwatch/settings.env', '-/etc/recordwatch/%N.env']);
  },
);

it('all units have the same restrictions', () => {
  const [first, ...others] = UNITS.map(([, file]) =>
    read(`deploy/systemd/${file}`).match(/^NoNewPrivileges=yes\n(?:\S.*\n)+/m),
  );
  expect(first?.[0]).toMatch(/^ProtectSystem=strict$/m);
  for (const other of others) expect(other?.[0]).toBe(first?.[0]);
});

it('the Caddy example has the rules of the proxy with which the cluster is tested', () => {
  const rules = (text: string) =>
    [...text.slice(text.indexOf('reverse_proxy')).matchAll(/^\t\t(?!#)(.+)$/gm)].map(([, rule]) => rule);
  expect(rules(read('deploy/caddy/Caddyfile'))).toEqual(rules(caddyfile(80, [1, 2])));
});
