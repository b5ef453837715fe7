// Connects API, worker and commands to Temporal: plain, with TLS and client certificates, or with an API key.
import { setTimeout as sleep } from 'node:timers/promises';
import { toClientOptions } from '@temporalio/envconfig';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';

export type TemporalSettings = Pick<
  Config,
  | 'temporalAddress'
  | 'temporalNamespace'
  | 'temporalApiKey'
  | 'temporalTls'
  | 'temporalTlsServerName'
  | 'temporalTlsServerCaCertPath'
  | 'temporalTlsClientCertPath'
  | 'temporalTlsClientKeyPath'
>;

/**
 * For the client's connections. gRPC would go through the proxy that `http_proxy` names, which the worker's own connection does not
 * use: without TLS the proxy could read everything. That connection takes no such options, and ignores them.
 */
export const WITHOUT_PROXY = { channelArgs: { 'grpc.enable_http_proxy': 0 } } as const;

export type TemporalConnectionOptions = Exclude<
  ReturnType<typeof toClientOptions>['connectionOptions'],
  undefined
> &
  typeof WITHOUT_PROXY;

export const GIVE_UP_AFTER_MS = 120_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** Whether the settings ask for TLS. As with Temporal's own tools, an API key or a TLS setting turns it on. */
export function usesTls(settings: TemporalSettings): boolean {
  const { temporalApiKey, temporalTls, temporalTlsServerName } = settings;
  if (temporalTls !== undefined) return temporalTls;
  const { temporalTlsServerCaCertPath, temporalTlsClientCertPath } = settings;
  return [temporalApiKey, temporalTlsServerName, temporalTlsServerCaCertPath, temporalTlsClientCertPath].some(
    (value) => value !== '',
  );
}

/**
 * Options for the SDK's connections. Certificates are read from their files at each call.
 * @throws Error when a certificate cannot be read, or a client certificate comes without its key
 */
export function temporalConnectionOptions(settings: TemporalSettings): TemporalConnectionOptions {
  const { temporalTlsClientCertPath: certPath, temporalTlsClientKeyPath: keyPath } = settings;
  if ((certPath === '') !== (keyPath === ''))
    throw new Error('Set both TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH, or neither.');
  const {
    temporalApiKey: apiKey,
    temporalTlsServerName: serverName,
    temporalTlsServerCaCertPath: caPath,
  } = settings;
  const { connectionOptions } = toClientOptions({
    address: settings.temporalAddress,
    ...(apiKey === '' ? {} : { apiKey }),
    tls: {
      disabled: !usesTls(settings),
      ...(serverName === '' ? {} : { serverName }),
      ...(caPath === '' ? {} : { serverCACert: { path: caPath } }),
      ...(certPath === '' ? {} : { clientCert: { path: certPath }, clientKey: { path: keyPath } }),
    },
  });
  return { ...connectionOptions, ...WITHOUT_PROXY };
}

/**
 * Connects, and tries again while Temporal does not answer, because the SDK gives up after the first failure.
 * @param connect `Connection.connect` of the client, or `NativeConnection.connect` of the worker
 * @throws Error when the settings are wrong, or the server does not answer within two minutes
 */
export async function connectTemporal<C>(
  settings: TemporalSettings,
  connect: (options: TemporalConnectionOptions) => Promise<C>,
  log: Logger,
): Promise<C> {
  const options = temporalConnectionOptions(settings);
  const address = settings.temporalAddress;
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await connect(options);
    } catch (cause) {
      if (Date.now() > deadline) throw new Error(`Temporal does not answer at ${address}`, { cause });
      const reason = cause instanceof Error ? cause.message : '';
      log.info({ address, waitMs, reason, ...adviceOn(reason) }, 'waiting for Temporal');
      await sleep(waitMs);
    }
  }
}

/** The causes behind the messages of the SDK's libraries. Those for Node and those for the native worker differ. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /UnknownIssuer|self[- ]signed|unable to (verify|get)/i,
    'Temporal’s certificate is of another authority than TEMPORAL_TLS_SERVER_CA_CERT_PATH names.',
  ],
  [
    /NotValidForName|altnames/i,
    'Temporal’s certificate has another name: set TEMPORAL_TLS_SERVER_NAME to the one that it has.',
  ],
  [
    /certificate ?required/i,
    'Temporal asks for a client certificate: set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.',
  ],
  [
    /connection closed|socket disconnected|ECONNRESET|connection dropped|broken ?pipe|protocol error/i,
    'Temporal closed the connection: it wants TLS, or a client certificate, or one of another authority.',
  ],
];

function adviceOn(reason: string): { advice?: string } {
  const advice = ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  return advice === undefined ? {} : { advice };
}
