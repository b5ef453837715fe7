// Finds the system that the operator's commands work on: the one in the environment, or the `npm start` in this folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, parseConfig, SETTINGS } from '../../core/config.ts';
import type { TemporalSettings } from '../../outbound/connect-temporal.ts';
import type { CodecSettings } from '../../outbound/payload-codec.ts';
import { processStart, processUser } from '../process/process-identity.ts';
import type { DevFile } from '../process/dev-file.ts';

export type OperatorSettings = TemporalSettings &
  CodecSettings &
  Pick<
    Config,
    | 'databaseUrl'
    | 'keyEncryptionKeys'
    | 'baseUrl'
    | 'home'
    | 'smtpUrl'
    | 'mailFrom'
    | 'blobStore'
    | 'reconcileGraceSeconds'
  > & {
    /** The id of the user of the run's processes; undefined where the environment names the system. */
    runUser?: number | undefined;
  };

/** @throws Error that says what to set when neither is there */
export function operatorSettings(env: NodeJS.ProcessEnv): OperatorSettings {
  const config = parseConfig(env);
  return config.databaseUrl === '' ? settingsOfRun(env, config.home) : config;
}

/** The environment overrides what the run's file says, except for the database. */
function settingsOfRun(env: NodeJS.ProcessEnv, home: string): OperatorSettings {
  const path = join(home, 'dev.json');
  const dev = readDevFile(path);
  const runner = dev?.pids['runner'];
  if (dev === undefined || runner === undefined || processStart(runner) === undefined) {
    throw new Error(
      `Set DATABASE_URL, or let npm start run here: ${path} does not name a run that is in progress.`,
    );
  }
  const config = parseConfig({
    [SETTINGS.baseUrl.name]: dev.baseUrl,
    [SETTINGS.temporalAddress.name]: dev.temporalAddress,
    [SETTINGS.temporalNamespace.name]: dev.temporalNamespace,
    [SETTINGS.blobStore.name]: dev.blobStore,
    [SETTINGS.keyEncryptionKeys.name]: readText(join(home, 'key-encryption-keys')),
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
    [SETTINGS.databaseUrl.name]: dev.databaseUrl,
  });
  return { ...config, runUser: processUser(runner) };
}

function readDevFile(path: string): DevFile | undefined {
  const text = readText(path);
  if (text === '') return undefined;
  // Written by writeDevFile.
  const dev: DevFile = JSON.parse(text);
  return dev;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
