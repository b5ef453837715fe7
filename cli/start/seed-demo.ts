// Makes the demonstration: an account with a key, a record on the demonstration's origin, a webhook to its receiver.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLink } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import type { KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import { writeWhole } from '../process/write-whole.ts';
import { findUserByEmail, moveUser, type User } from '../../db/access/users.ts';
import { openDatabase, type Database } from '../../db/driver/knex.ts';
import { createAccount } from '../account/create-account.ts';
import { CallError, openApi, type ApiClient } from './api-client.ts';
import { DEMO_EMAIL } from './child-settings.ts';

export interface SeedRequest {
  originUrl: string;
  receiverUrl: string;
  /** Where the API answers. */
  apiUrl: string;
  /** The key is stored here for later starts: the database holds its hash only. */
  dataDir: string;
  webhookSecret: string;
  checkIntervalMinutes: number;
}

export interface SeedOptions extends SeedRequest {
  databaseUrl: string;
  keyEncryptionKeys: KeyEncryptionKeys;
}

export interface SeededAccount {
  accountId: string;
  /** The key itself; only its hash is in the database. */
  apiKey: string;
}

export interface SeededDemo extends SeededAccount {
  sourceId: string;
  webhookId: string;
  webhookSecret: string;
  /** The token of a link that signs in to the dashboard once. */
  signInToken: string;
}

const SLUG = 'spdx-licences';
/** A receiver of an earlier run, whose port may have differed; webhooks that the user made look different. */
const RECEIVER_URL = /^http:\/\/127\.0\.0\.1:\d+\/deliveries$/;

/**
 * Makes each part of the demonstration that is missing. Creates the record and its webhook through the public API.
 * Makes a new account when the stored key does not work in this database.
 */
export async function seedDemo(options: SeedOptions): Promise<SeededDemo> {
  const db = openDatabase(options.databaseUrl, { poolSize: 1, applicationName: 'recordwatch start' });
  try {
    const account = await ensureAccount(db, options);
    const api = openApi(options.apiUrl, account.apiKey);
    const sourceId = await ensureRecord(api, db, options);
    const webhookId = await ensureWebhook(api, sourceId, options);
    const signInToken = await seedSignIn(db, account.accountId);
    return { ...account, sourceId, webhookId, webhookSecret: options.webhookSecret, signInToken };
  } finally {
    await db.destroy();
  }
}

async function ensureAccount(db: Database, options: SeedOptions): Promise<SeededAccount> {
  const file = join(options.dataDir, 'demo-account.json');
  const kept = readKept(file);
  if (kept !== undefined && (await works(openApi(options.apiUrl, kept.apiKey)))) return kept;
  const account = await seedAccount(db, options.keyEncryptionKeys);
  writeWhole(file, `${JSON.stringify(account)}\n`, { mode: 0o600 });
  return account;
}

async function works(api: ApiClient): Promise<boolean> {
  return (await unless(401, api.call('GET', '/v1/sources'))) !== undefined;
}

async function ensureRecord(api: ApiClient, db: Database, options: SeedOptions): Promise<string> {
  const { originUrl: url, checkIntervalMinutes } = options;
  const found = await unless(404, api.call('GET', `/v1/sources/${SLUG}`));
  const settings = { url, checkIntervalMinutes };
  const wanted = { ...settings, slug: SLUG, name: 'SPDX licences', keyFields: ['id'] };
  // The ready screen shows calls that read data: they come with the first check.
  const record = found ?? (await api.call('POST', '/v1/sources', wanted, { prefer: 'wait=10' }));
  const id = String(record['id']);
  // Only operators set tiers; the API cannot.
  await db('records').where({ id }).update({ tier: 'max' });
  // The origin's port may differ from the last run's.
  if (record['url'] !== url) await api.call('PATCH', `/v1/sources/${id}`, settings);
  return id;
}

async function ensureWebhook(api: ApiClient, sourceId: string, options: SeedOptions): Promise<string> {
  const { receiverUrl: url, webhookSecret: secret } = options;
  const path = `/v1/sources/${sourceId}/webhooks`;
  const listed = await api.call('GET', path);
  // The API's contract: an array of webhooks.
  const webhooks = listed['webhooks'] as { id: string; url: string; enabled: boolean }[];
  const ours = webhooks.filter((webhook) => RECEIVER_URL.test(webhook.url));
  const mine = ours.find((webhook) => webhook.url === url && webhook.enabled);
  for (const { id } of ours) if (id !== mine?.id) await api.call('DELETE', `${path}/${id}`);
  return mine?.id ?? String((await api.call('POST', path, { url, secret }))['id']);
}

/** The call's answer, or undefined when it is refused with this status. */
async function unless<T>(status: number, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CallError && error.status === status) return undefined;
    throw error;
  }
}

function readKept(file: string): SeededAccount | undefined {
  try {
    // Written by ensureAccount above.
    const account: SeededAccount = JSON.parse(readFileSync(file, 'utf8'));
    return account;
  } catch {
    return undefined;
  }
}

/** An account with one key of scope `full`. */
export async function seedAccount(db: Database, keys: KeyEncryptionKeys): Promise<SeededAccount> {
  const names = { name: 'Demonstration', keyName: 'npm start' };
  const { accountId, value } = await createAccount(db, keys, names);
  return { accountId, apiKey: value };
}

/** @returns the token of the link: it works once, within an hour */
async function seedSignIn(db: Database, accountId: string): Promise<string> {
  const { id } = await ensureUser(db, accountId);
  return createLink(db, { kind: 'sign-in', userId: id });
}

/** The user of a demonstration whose key was lost continues with the new one. */
async function ensureUser(db: Database, accountId: string): Promise<User> {
  const known = await findUserByEmail(db, DEMO_EMAIL);
  if (known === undefined) return addUser(db, { accountId, email: DEMO_EMAIL, name: 'Demonstration' });
  if (known.accountId !== accountId) await moveUser(db, known.id, accountId);
  return known;
}
