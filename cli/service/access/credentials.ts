// The file with the address of a service and a key for it, which only its owner may read.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { writeWhole } from '../../process/write-whole.ts';
import type { Access } from '../calls/open-client.ts';

/** The user's folder for settings. XDG_CONFIG_HOME moves it, where the system knows that. */
const configFolder = (): string => envPaths('recordwatch', { suffix: '' }).config;

export const credentialsFile = (): string => configFile('credentials.json');
export const configFile = (name: string): string => join(configFolder(), name);

export function readCredentials(): Access | undefined {
  const { url, apiKey } = readOwn(credentialsFile()) ?? {};
  return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : undefined;
}

/** Whether there is a file that nothing can be read from. */
export const isDamaged = (): boolean => existsSync(credentialsFile()) && readCredentials() === undefined;

export const writeCredentials = (credentials: Access): void =>
  writeOwn(credentialsFile(), { ...credentials });

/** @returns whether there was a file */
export function removeCredentials(): boolean {
  const isThere = existsSync(credentialsFile());
  rmSync(credentialsFile(), { force: true });
  return isThere;
}

/** What a file of ours says; undefined when it does not exist or was changed beyond reading. */
export function readOwn(path: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof found === 'object' && found !== null ? { ...found } : undefined;
  } catch {
    return undefined;
  }
}

export function writeOwn(path: string, content: Record<string, unknown>): void {
  mkdirSync(configFolder(), { recursive: true, mode: 0o700 });
  writeWhole(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
