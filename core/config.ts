// All settings of the service: name, help, default and reader. Entry points call parseConfig(process.env).
import {
  readAddress,
  readCount,
  readDatabaseUrl,
  readEmails,
  readHosts,
  readHttpUrl,
  readKeys,
  readListenAddress,
  readLogLevel,
  readNat64Prefixes,
  readNetworks,
  readOptionalBoolean,
  readOptionalHttpUrl,
  readPort,
  readPositiveInteger,
  readPositiveSeconds,
  readRatio,
  readSchedule,
  readSeconds,
  readSmtpUrl,
  readText,
  readToken,
  readTracesExporter,
} from './read-setting.ts';

interface Setting<T> {
  name: string;
  help: string;
  fallback: string;
  /** Parses the text. @throws Error that says what is expected */
  read: (text: string) => T;
}

const setting = <T>(value: Setting<T>): Setting<T> => value;

export const SETTINGS = {
  port: setting({ name: 'PORT', help: 'port of the API', fallback: '8080', read: readPort }),
  host: setting({
    name: 'HOST',
    help: 'IP address that the API listens on; 0.0.0.0 in a container',
    fallback: '127.0.0.1',
    read: readAddress,
  }),
  home: setting({
    name: 'RECORDWATCH_HOME',
    help: 'folder for data that must survive (and, under npm start, for everything)',
    fallback: '.recordwatch',
    read: readText,
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    help: 'PostgreSQL connection string',
    fallback: '',
    read: readDatabaseUrl,
  }),
  databasePoolSize: setting({
    name: 'DATABASE_POOL_SIZE',
    help: 'database connections that one process may hold',
    fallback: '10',
    read: readPositiveInteger,
  }),
  databasePatienceSeconds: setting({
    name: 'DATABASE_PATIENCE_SECONDS',
    help: 'how long a statement waits while PostgreSQL cannot be reached before its connection is given up, in seconds',
    fallback: '60',
    read: readPositiveSeconds,
  }),
  temporalAddress: setting({
    name: 'TEMPORAL_ADDRESS',
    help: 'host:port of the Temporal server',
    fallback: '',
    read: readText,
  }),
  temporalNamespace: setting({
    name: 'TEMPORAL_NAMESPACE',
    help: 'Temporal namespace',
    fallback: 'default',
    read: readText,
  }),
  temporalFairness: setting({
    name: 'TEMPORAL_FAIRNESS',
    help: "true or false: whether Temporal's queues serve accounts in turns (matching.enableFairness), so that checks can wait there; empty: false",
    fallback: '',
    read: readOptionalBoolean,
  }),
  temporalApiKey: setting({
    name: 'TEMPORAL_API_KEY',
    help: 'API key for Temporal, as Temporal Cloud gives out; turns TLS on',
    fallback: '',
    read: readText,
  }),
  temporalTls: setting({
    name: 'TEMPORAL_TLS',
    help: 'true or false: TLS to Temporal; empty: on when an API key or another TLS setting is given',
    fallback: '',
    read: readOptionalBoolean,
  }),
  temporalTlsServerCaCertPath: setting({
    name: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    help: "file (PEM) of the authority that signed Temporal's certificate; empty: the public ones",
    fallback: '',
    read: readText,
  }),
  temporalTlsServerName: setting({
    name: 'TEMPORAL_TLS_SERVER_NAME',
    help: "name in Temporal's certificate, when it is not the host of TEMPORAL_ADDRESS",
    fallback: '',
    read: readText,
  }),
  temporalTlsClientCertPath: setting({
    name: 'TEMPORAL_TLS_CLIENT_CERT_PATH',
    help: 'file (PEM) of the client certificate for mTLS with Temporal; read when a process starts',
    fallback: '',
    read: readText,
  }),
  temporalTlsClientKeyPath: setting({
    name: 'TEMPORAL_TLS_CLIENT_KEY_PATH',
    help: 'file (PEM) of the key of the client certificate',
    fallback: '',
    read: readText,
  }),
  temporalCodecKeys: setting({
    name: 'TEMPORAL_CODEC_KEYS',
    help: 'seals what Temporal keeps: id:base64 of 32 bytes, comma-separated; the first seals, all open; empty: nothing is sealed',
    fallback: '',
    read: readKeys,
  }),
  temporalCodecAddress: setting({
    name: 'TEMPORAL_CODEC_ADDRESS',
    help: "address:port on which an API opens sealed payloads for Temporal's UI and CLI (a codec server); empty: nowhere",
    fallback: '',
    read: readListenAddress,
  }),
  temporalCodecToken: setting({
    name: 'TEMPORAL_CODEC_TOKEN',
    help: 'what operators present there; at least 32 characters',
    fallback: '',
    read: readToken,
  }),
  temporalDeploymentName: setting({
    name: 'TEMPORAL_DEPLOYMENT_NAME',
    help: "worker deployment of this worker, for Temporal's Worker Versioning; empty: its workers have no version",
    fallback: '',
    read: readText,
  }),
  temporalWorkerBuildId: setting({
    name: 'TEMPORAL_WORKER_BUILD_ID',
    help: 'version of this worker within its worker deployment, such as the tag of its image',
    fallback: '',
    read: readText,
  }),
  temporalUiUrl: setting({
    name: 'TEMPORAL_UI_URL',
    help: "address of Temporal's UI, to which the dashboard links for operators; empty: no links",
    fallback: '',
    read: readOptionalHttpUrl,
  }),
  operatorEmails: setting({
    name: 'OPERATOR_EMAILS',
    help: "addresses (comma-separated) of users to whom the dashboard shows links to Temporal's UI; empty: nobody",
    fallback: '',
    read: readEmails,
  }),
  upgradeUrl: setting({
    name: 'UPGRADE_URL',
    help: 'page on which to get a paid tier; 402 answers and the dashboard link to it; empty: no links',
    fallback: '',
    read: readOptionalHttpUrl,
  }),
  baseUrl: setting({
    name: 'BASE_URL',
    help: 'address under which users reach the API',
    fallback: 'http://localhost:8080',
    read: readHttpUrl,
  }),
  allowAddresses: setting({
    name: 'ALLOW_ADDRESSES',
    help: 'networks (CIDR, comma-separated) that requests for accounts may reach although they are not public',
    fallback: '',
    read: readNetworks,
  }),
  anonymousAddresses: setting({
    name: 'ANONYMOUS_ADDRESSES',
    help: 'the same for what needs no account: anonymous records, documents of MCP clients; address:port is one port',
    fallback: '',
    read: readNetworks,
  }),
  allowedHosts: setting({
    name: 'ALLOWED_HOSTS',
    help: "names (comma-separated) that requests from this machine may have in Host beside BASE_URL's; *: any",
    fallback: '',
    read: readHosts,
  }),
  nat64Prefixes: setting({
    name: 'NAT64_PREFIXES',
    help: 'IPv6 prefixes (comma-separated) under which this network reaches IPv4; empty: none',
    fallback: '',
    read: readNat64Prefixes,
  }),
  originConcurrency: setting({
    name: 'ORIGIN_CONCURRENCY',
    help: 'fetches from one origin that all workers together have under way at once',
    fallback: '4',
    read: readPositiveInteger,
  }),
  originSpacingSeconds: setting({
    name: 'ORIGIN_SPACING_SECONDS',
    help: 'how far apart workers begin fetches from one origin, in seconds',
    fallback: '0.2',
    read: readSeconds,
  }),
  spoolMaxMb: setting({
    name: 'SPOOL_MAX_MB',
    help: 'disk that bodies may take while a worker fetches them, in MiB; 0: three quarters of what is free',
    fallback: '0',
    read: readCount,
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    help: 'networks (CIDR, comma-separated) of proxies whose X-Forwarded-For is believed; empty: none',
    fallback: '',
    read: readNetworks,
  }),
  rateLimitFactor: setting({
    name: 'RATE_LIMIT_FACTOR',
    help: 'multiplies every limit of requests per minute; 1: as the tier says',
    fallback: '1',
    read: readPositiveInteger,
  }),
  shutdownDelaySeconds: setting({
    name: 'SHUTDOWN_DELAY_SECONDS',
    help: 'how long an API still takes requests after SIGTERM, with /readyz at 503, so that proxies turn elsewhere',
    fallback: '3',
    read: readSeconds,
  }),
  freeRecords: setting({
    name: 'FREE_RECORDS',
    help: 'records that an account may have before one of them is on a paid tier; 0: no limit',
    fallback: '1000',
    read: readCount,
  }),
  sessionSeconds: setting({
    name: 'SESSION_SECONDS',
    help: 'how long an anonymous session lasts before its record is erased, in seconds',
    fallback: '86400',
    read: readSeconds,
  }),
  sessionsMax: setting({
    name: 'SESSIONS_MAX',
    help: 'how many anonymous sessions may be open at once',
    fallback: '10000',
    read: readPositiveInteger,
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    help: 'mail server: smtp://user:password@host:587, or smtps://; empty: mails become files, and webhooks send no mails',
    fallback: '',
    read: readSmtpUrl,
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    help: 'sender of mails; empty: Recordwatch <no-reply@ the host of BASE_URL>',
    fallback: '',
    read: readText,
  }),
  keyEncryptionKeys: setting({
    name: 'KEY_ENCRYPTION_KEYS',
    help: 'id:base64 of 32 bytes, comma-separated; the first seals, all open',
    fallback: '',
    read: readKeys,
  }),
  blobStore: setting({
    name: 'BLOB_STORE',
    help: 'where bodies are kept: a folder, or s3://bucket?endpoint=URL&region=NAME; empty: RECORDWATCH_HOME/blobs',
    fallback: '',
    read: readText,
  }),
  minCheckSeconds: setting({
    name: 'MIN_CHECK_SECONDS',
    help: 'lowers the smallest check interval of every tier, in seconds; 0: as the tier says',
    fallback: '0',
    read: readSeconds,
  }),
  heldRecheckSeconds: setting({
    name: 'HELD_RECHECK_SECONDS',
    help: 'how soon a held check is confirmed by a second one, in seconds',
    fallback: '600',
    read: readSeconds,
  }),
  reconcileGraceSeconds: setting({
    name: 'RECONCILE_GRACE_SECONDS',
    help: 'how late a check or an attempt may be before reconciling takes it up, in seconds',
    fallback: '120',
    read: readSeconds,
  }),
  deliverySchedule: setting({
    name: 'DELIVERY_SCHEDULE',
    help: 'waits before the second and each later attempt to deliver (units ms, s, m, h)',
    fallback: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    read: readSchedule,
  }),
  metricsAddress: setting({
    name: 'METRICS_ADDRESS',
    help: 'address:port on which a process shows its metrics to Prometheus, at /metrics; empty: nowhere',
    fallback: '',
    read: readListenAddress,
  }),
  temporalMetricsAddress: setting({
    name: 'TEMPORAL_METRICS_ADDRESS',
    help: "the same for the metrics of Temporal's SDK, which only workers have",
    fallback: '',
    read: readListenAddress,
  }),
  fleetMetricsSeconds: setting({
    name: 'FLEET_METRICS_SECONDS',
    help: 'how often one worker reads the state of all records and deliveries for metrics, in seconds',
    fallback: '15',
    read: readPositiveSeconds,
  }),
  otlpEndpoint: setting({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'URL of an OpenTelemetry collector (OTLP over HTTP) to which processes send metrics and traces; empty: none',
    fallback: '',
    read: readOptionalHttpUrl,
  }),
  otlpIntervalMs: setting({
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    help: 'how often metrics are sent to the collector, in milliseconds',
    fallback: '60000',
    read: readPositiveInteger,
  }),
  tracesExporter: setting({
    name: 'OTEL_TRACES_EXPORTER',
    help: 'otlp: processes send traces to the collector; none: there are no traces',
    fallback: 'none',
    read: readTracesExporter,
  }),
  tracesSamplerRatio: setting({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    help: 'part of all traces that is recorded, from 0 to 1',
    fallback: '1',
    read: readRatio,
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    help: 'debug, info, warn or error',
    fallback: 'info',
    read: readLogLevel,
  }),
} as const;

type Settings = typeof SETTINGS;
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['read']> };

/**
 * Reads all settings.
 * @throws Error that lists every invalid setting by name, without its value
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([key, { name, fallback, read }]) => {
    const given = env[name]?.trim() ?? '';
    try {
      return [key, read(given === '' ? fallback : given)];
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}`);
      return [key, undefined];
    }
  });
  if (problems.length > 0) throw new Error(`Settings are not valid:\n  ${problems.join('\n  ')}`);
  // Each entry was made by its own reader, as the type Config says.
  return Object.freeze(Object.fromEntries(entries)) as Config;
}
