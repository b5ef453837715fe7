// Connections to Temporal over TLS, with client certificates and with API keys. The server with mTLS is a TLS endpoint in front of
// the tests' own server.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../core/config.ts';
import { temporalConnectionOptions } from '../../outbound/connect-temporal.ts';
import { AUTHORITY, CLIENT, SERVER } from '../support/servers/certificates.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { type Origin, startOrigin } from '../support/servers/origin-server.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../support/servers/system.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';

let folder: string;
let temporal: TestTemporal;
let server: Server;
let address: string;

const file = (name: string): string => join(folder, name);
const portOf = (one: Server | Http2SecureServer): number => (one.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recordwatch-tls-'));
  writeFileSync(file('ca.pem'), AUTHORITY);
  writeFileSync(file('client.pem'), CLIENT.cert);
  writeFileSync(file('client.key'), CLIENT.key);
  temporal = await openTemporal();
  const [host = '', port = ''] = temporal.address.split(':');
  server = createServer({ ...SERVER, ca: AUTHORITY, requestCert: true, ALPNProtocols: ['h2'] }, (inner) => {
    const outer = connect(Number(port), host);
    inner.on('error', () => outer.destroy()).on('close', () => outer.destroy());
    outer.on('error', () => inner.destroy()).on('close', () => inner.destroy());
    inner.pipe(outer).pipe(inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `127.0.0.1:${portOf(server)}`;
});

afterAll(async () => {
  server.close();
  await temporal.connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const mTls = (): Record<string, string> => ({
  TEMPORAL_ADDRESS: address,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem'),
  TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key'),
});

const optionsOf = (env: Record<string, string>) => temporalConnectionOptions(parseConfig(env));

/** @returns 'connected', or why not */
async function outcomeOf(env: Record<string, string>): Promise<string> {
  try {
    const connection = await Connection.connect({ ...optionsOf(env), connectTimeout: 5_000 });
    await connection.close();
    return 'connected';
  } catch (error) {
    return String(error);
  }
}

describe('a Temporal server that requires client certificates', () => {
  it('accepts ours, under the name in its certificate', async () => {
    expect(await outcomeOf(mTls())).toBe('connected');
    expect(await outcomeOf({ ...mTls(), TEMPORAL_TLS_SERVER_NAME: 'temporal.test' })).toBe('connected');
  });

  it.each<[string, (env: Record<string, string>) => Record<string, string>]>([
    ['another name', (env) => ({ ...env, TEMPORAL_TLS_SERVER_NAME: 'elsewhere.test' })],
    ['no authority for its certificate', (env) => ({ ...env, TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' })],
    [
      'no client certificate',
      (env) => ({ ...env, TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' }),
    ],
    ['TLS turned off', (env) => ({ ...env, TEMPORAL_TLS: 'false' })],
  ])('is not connected to with %s', async (_words, change) => {
    expect(await outcomeOf(change(mTls()))).not.toBe('connected');
  });

  describe('runs the product', () => {
    let system: System;
    let origin: Origin;

    beforeAll(async () => {
      origin = await startOrigin();
      system = await startSystem(mTls(), { temporal, database: await createTestDatabase() });
    });

    afterAll(async () => {
      await system.stop();
      await origin.close();
    });

    it('with its checks', async () => {
      origin.set('/list.csv', { body: 'id\n1\n' });
      const record = await createRecord(system, { url: `${origin.url}/list.csv` });
      origin.set('/list.csv', { body: 'id\n1\n2\n' });
      expect(await checkAndWait(system, record.id)).toMatchObject({ outcome: 'changed' });
    });
  });
});

describe('an API key', () => {
  it('is sent over TLS with each call', async () => {
    const seen: unknown[] = [];
    const cloud = createSecureServer(SERVER);
    cloud.on('stream', (stream, headers) => {
      seen.push(headers['authorization']);
      const unimplemented = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' };
      stream.respond(unimplemented, { endStream: true });
    });
    cloud.listen(0, '127.0.0.1');
    await once(cloud, 'listening');
    const env = {
      TEMPORAL_ADDRESS: `127.0.0.1:${portOf(cloud)}`,
      TEMPORAL_API_KEY: 'the-key',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem'),
    };
    expect(await outcomeOf(env)).toBe('connected');
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set(['Bearer the-key']));
    cloud.close();
  });

  it('turns TLS on by itself', () => {
    expect(optionsOf({ TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_API_KEY: 'k' })).toMatchObject({
      apiKey: 'k',
    });
    expect(optionsOf({ TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_API_KEY: 'k' }).tls).toBeTruthy();
    expect(optionsOf({ TEMPORAL_ADDRESS: 'here:7233' }).tls).toBeFalsy();
  });
});

it('a client certificate without its key is refused with words', () => {
  const env = { TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem') };
  expect(() => optionsOf(env)).toThrow(
    /Set both TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH/,
  );
});
