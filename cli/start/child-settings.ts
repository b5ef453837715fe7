// The environment that the worker and the API get from the one-command runner.
import { randomBytes } from 'node:crypto';
import { SETTINGS } from '../../core/config.ts';
import type { Home } from './home.ts';

export interface Addresses {
  apiPort: number;
  /** The port that browsers call when another server is in front of the API. */
  frontPort?: number;
  databaseUrl: string;
  temporalAddress: string;
  /** Null when it is not known. */
  temporalUiUrl: string | null;
  /** The demonstration's list. */
  originUrl: string;
}

/** The demonstration's user. No mail goes there. */
export const DEMO_EMAIL = 'demo@recordwatch.local';

/** Defaults for one user on one machine; the environment overrides them. */
export const START_DEFAULTS: Readonly<Record<string, string>> = {
  // The demonstration's origin and receiver are on this machine, and so may be what its user wants to watch.
  [SETTINGS.allowAddresses.name]: '127.0.0.0/8,::1/128',
  [SETTINGS.minCheckSeconds.name]: '5',
  [SETTINGS.databasePoolSize.name]: '5',
  [SETTINGS.operatorEmails.name]: DEMO_EMAIL,
  // No proxy is in front.
  [SETTINGS.shutdownDelaySeconds.name]: '0',
};

/**
 * The runner's environment with defaults. Makes missing secrets once and stores them in the home folder.
 * @param defaults in place of START_DEFAULTS, or beside them
 */
export function childSettings(
  env: NodeJS.ProcessEnv,
  home: Home,
  addresses: Addresses,
  defaults: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  return {
    ...START_DEFAULTS,
    ...defaults,
    [SETTINGS.keyEncryptionKeys.name]: keyEncryptionKeys(env, home),
    // Any web page that the user opens can start an anonymous session, so it may reach the demonstration only.
    [SETTINGS.anonymousAddresses.name]: new URL(addresses.originUrl).host,
    [SETTINGS.baseUrl.name]: `http://127.0.0.1:${addresses.frontPort ?? addresses.apiPort}`,
    ...(addresses.temporalUiUrl === null ? {} : { [SETTINGS.temporalUiUrl.name]: addresses.temporalUiUrl }),
    // A server of our own has it on.
    ...(SETTINGS.temporalAddress.name in given ? {} : { [SETTINGS.temporalFairness.name]: 'true' }),
    ...given,
    [SETTINGS.port.name]: String(addresses.apiPort),
    [SETTINGS.home.name]: home.folder,
    [SETTINGS.databaseUrl.name]: addresses.databaseUrl,
    [SETTINGS.temporalAddress.name]: addresses.temporalAddress,
  };
}

function keyEncryptionKeys(env: NodeJS.ProcessEnv, home: Home): string {
  const given = env[SETTINGS.keyEncryptionKeys.name] ?? '';
  return given === ''
    ? home.keep('key-encryption-keys', () => `k1:${randomBytes(32).toString('base64')}`)
    : given;
}

const HELP_WIDTH = 2 + Math.max(...Object.values(SETTINGS).map(({ name }) => name.length));

/** One line per setting: name, meaning, and the default that holds under `start`. */
export function settingsHelp(): string {
  const lines = Object.values(SETTINGS).map(({ name, help, fallback }) => {
    const value = START_DEFAULTS[name] ?? fallback;
    const suffix = value === '' ? '' : ` (default: ${value})`;
    return `  ${name.padEnd(HELP_WIDTH)}${help}${suffix}`;
  });
  return ['', 'Settings, read from the environment:', ...lines].join('\n');
}
