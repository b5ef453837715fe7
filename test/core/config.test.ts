// Settings: their defaults, and errors that name all faults at once and repeat no value.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Config, parseConfig, SETTINGS } from '../../core/config.ts';

const keyText = () => randomBytes(32).toString('base64');

function messageOf(env: Record<string, string>): string {
  try {
    parseConfig(env);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : 'not an Error';
  }
}

describe('settings', () => {
  it('have their defaults', () => {
    expect(parseConfig({})).toMatchObject({
      port: 8080,
      home: '.recordwatch',
      databaseUrl: '',
      temporalNamespace: 'default',
      baseUrl: 'http://localhost:8080',
      allowAddresses: [],
      minCheckSeconds: 0,
      heldRecheckSeconds: 600,
      logLevel: 'info',
      metricsAddress: null,
    } satisfies Partial<Config>);
  });

  it('count as missing when they are empty or blank', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name);
    for (const blank of ['', '  ', '\n']) {
      expect(parseConfig(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(parseConfig({}));
    }
  });

  it('have a unique name and a help text each', () => {
    const all = Object.values(SETTINGS);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, help } of all) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(help.length).toBeGreaterThan(10);
    }
  });

  it('cannot be changed once they are read', () => {
    expect(Object.isFrozen(parseConfig({}))).toBe(true);
  });

  it('are parsed', () => {
    const [first, second] = [keyText(), keyText()];
    const config = parseConfig({
      PORT: ' 0 ',
      BASE_URL: 'https://watch.example/app//',
      OPERATOR_EMAILS: 'Ada@Example.com, grace@example.com',
      UPGRADE_URL: 'https://plans.example/upgrade?from=recordwatch',
      ALLOW_ADDRESSES: '127.0.0.0/8, ::1/128,',
      KEY_ENCRYPTION_KEYS: `new:${first}, old:${second}`,
      MIN_CHECK_SECONDS: '0.5',
      DELIVERY_SCHEDULE: '50ms, 1.5s,2m,1h',
      METRICS_ADDRESS: '[::1]:9464',
      LOG_LEVEL: 'debug',
    });
    expect(config).toMatchObject({
      port: 0,
      baseUrl: 'https://watch.example/app',
      operatorEmails: ['ada@example.com', 'grace@example.com'],
      upgradeUrl: 'https://plans.example/upgrade?from=recordwatch',
      allowAddresses: ['127.0.0.0/8', '::1/128'],
      minCheckSeconds: 0.5,
      deliverySchedule: [50, 1_500, 120_000, 3_600_000],
      metricsAddress: { host: '::1', port: 9464 },
      logLevel: 'debug',
    });
    const keys = [...config.keyEncryptionKeys].map(([id, key]) => [id, Buffer.from(key).toString('base64')]);
    expect(keys).toEqual([['new', first], ['old', second]]); // prettier-ignore
  });
});

describe('faulty settings', () => {
  const FAULTS: Record<string, string[]> = {
    PORT: ['70000', '-1', '80.5', 'http'],
    DATABASE_POOL_SIZE: ['0', '1.5', 'many'],
    SHUTDOWN_DELAY_SECONDS: ['-1', 'soon'],
    DATABASE_PATIENCE_SECONDS: ['0', '-1', 'long'],
    BASE_URL: ['watch.example', 'ftp://watch.example', '/app'],
    OPERATOR_EMAILS: ['ada', 'ada@example.com grace@example.com', '@example.org'],
    UPGRADE_URL: ['plans.example', 'javascript:alert(1)', '/plans'],
    ALLOW_ADDRESSES: ['localhost', '10.0.0.0/33', '10.0.0.0/8,nonsense'],
    ANONYMOUS_ADDRESSES: ['localhost:8090', '127.0.0.1:70000', '127.0.0.0/8:80'],
    ALLOWED_HOSTS: ['watch.example:8080', 'https://watch.example', 'a b', '*.example'],
    NAT64_PREFIXES: ['10.0.0.0/8', '64:ff9b::/95', 'nonsense'],
    ORIGIN_CONCURRENCY: ['0', '2.5'],
    ORIGIN_SPACING_SECONDS: ['-1', '200ms'],
    SPOOL_MAX_MB: ['-1', '1.5', '2GB'],
    KEY_ENCRYPTION_KEYS: [
      'nonsense',
      'k1:c2hvcnQ=',
      `:${keyText()}`,
      `k 1:${keyText()}`,
      `k:${keyText()},k:${keyText()}`,
    ],
    MIN_CHECK_SECONDS: ['-1', 'soon', 'Infinity'],
    HELD_RECHECK_SECONDS: ['-0.1'],
    RECONCILE_GRACE_SECONDS: ['1m'],
    DELIVERY_SCHEDULE: ['5', '5s,', '5 s', '-5s', '5d', '1e3s'],
    METRICS_ADDRESS: ['9464', 'localhost:9464', '10.0.0.1', '127.0.0.1:0', '127.0.0.1:70000', '::1:9464'],
    TEMPORAL_METRICS_ADDRESS: [':9465', '127.0.0.1:x'],
    FLEET_METRICS_SECONDS: ['0', 'often'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector:4317'],
    OTEL_METRIC_EXPORT_INTERVAL: ['0', '1.5', '10s'],
    OTEL_TRACES_EXPORTER: ['console', 'OTLP'],
    OTEL_TRACES_SAMPLER_ARG: ['2', '-0.5', 'half', '1e-2'],
    TEMPORAL_CODEC_KEYS: ['nonsense', 'c1:c2hvcnQ='],
    TEMPORAL_CODEC_ADDRESS: ['8088', 'localhost:8088'],
    TEMPORAL_CODEC_TOKEN: ['too-short', `${'a'.repeat(20)} ${'b'.repeat(20)}`],
    LOG_LEVEL: ['verbose', 'INFO'],
  };

  it.each(Object.entries(FAULTS))('%s is refused by its name, without its value', (name, values) => {
    for (const value of values) {
      const message = messageOf({ [name]: value });
      expect(message).toMatch(new RegExp(`^Settings are not valid:\n  ${name} \\S[^\n]+$`));
    }
    // Shorter values may occur in the message by chance.
    for (const value of values.filter(({ length }) => length > 4)) {
      expect(messageOf({ [name]: value })).not.toContain(value);
    }
  });

  it('are all reported at once', () => {
    const env = Object.fromEntries(Object.entries(FAULTS).map(([name, [value = '']]) => [name, value]));
    const lines = messageOf(env).split('\n').slice(1);
    expect(new Set(lines.map((line) => line.trim().split(' ')[0]))).toEqual(new Set(Object.keys(FAULTS)));
    expect(lines).toHaveLength(Object.keys(FAULTS).length);
  });

  it('show no part of a key', () => {
    const [key, other] = [keyText(), keyText()];
    for (const value of [`k1:${key.slice(0, 20)}`, key, `k1:${key},k1:${other}`]) {
      const message = messageOf({ KEY_ENCRYPTION_KEYS: value });
      expect(message).not.toBe('');
      expect(message).not.toContain(key.slice(0, 8));
    }
  });
});
