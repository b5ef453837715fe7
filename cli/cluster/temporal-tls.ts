// Temporal's frontend with TLS that asks for client certificates (mTLS), as an operator's Temporal may have it: `--tls <folder>`.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SETTINGS } from '../../core/config.ts';

/** The authority, and certificates of the servers and of their clients with keys. The servers call each other with theirs. */
const FILES = ['ca.pem', 'server.pem', 'server.key', 'client.pem', 'client.key'] as const;
/** In the servers' certificate. */
const SERVER_NAME = 'localhost';

export interface TemporalTls {
  /** Of Temporal's services: https://docs.temporal.io/self-hosted-guide/security */
  serverSettings: Record<string, string>;
  /** Of API and workers. */
  clientSettings: Record<string, string>;
  /** For connections of this process. */
  client: { ca: Buffer; cert: Buffer; key: Buffer; servername: string };
}

/** @throws Error that names the missing files */
export function readTemporalTls(folder: string): TemporalTls {
  const file = (name: (typeof FILES)[number]): string => resolve(join(folder, name));
  const missing = FILES.filter((name) => !existsSync(file(name)));
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(', ')} for --tls.`);
  return {
    serverSettings: {
      TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: 'true',
      TEMPORAL_TLS_FRONTEND_CERT: file('server.pem'),
      TEMPORAL_TLS_FRONTEND_KEY: file('server.key'),
      TEMPORAL_TLS_FRONTEND_SERVER_NAME: SERVER_NAME,
      // The server's template wants two.
      TEMPORAL_TLS_CLIENT1_CA_CERT: file('ca.pem'),
      TEMPORAL_TLS_CLIENT2_CA_CERT: file('ca.pem'),
      TEMPORAL_TLS_SERVER_CERT: file('server.pem'),
      TEMPORAL_TLS_SERVER_KEY: file('server.key'),
      TEMPORAL_TLS_SERVER_CA_CERT: file('ca.pem'),
      TEMPORAL_TLS_INTERNODE_SERVER_NAME: SERVER_NAME,
    },
    clientSettings: {
      [SETTINGS.temporalTlsServerCaCertPath.name]: file('ca.pem'),
      [SETTINGS.temporalTlsServerName.name]: SERVER_NAME,
      [SETTINGS.temporalTlsClientCertPath.name]: file('client.pem'),
      [SETTINGS.temporalTlsClientKeyPath.name]: file('client.key'),
    },
    client: {
      ca: readFileSync(file('ca.pem')),
      cert: readFileSync(file('client.pem')),
      key: readFileSync(file('client.key')),
      servername: SERVER_NAME,
    },
  };
}
