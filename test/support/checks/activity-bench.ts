// The real activities on a real database, blob folder and origin, without a worker. A test runs them in any order and any
// number of times, as happens when workers are killed.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncLocalStorage, Context } from '@temporalio/activity';
import type { ActivityCancellationDetails } from '@temporalio/common';
import { pino } from 'pino';
import { createFolderBlobs } from '../../../activities/blobs/folder-blobs.ts';
import { type Activities, createActivities } from '../../../activities/create-activities.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createGuard } from '../../../outbound/guard.ts';
import { createDataKey, sealField, webhookSecretContext } from '../../../core/crypto/envelope.ts';
import { parseConfig } from '../../../core/config.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { insertAccount } from '../../../db/accounts/accounts.ts';
import type { NewRecord } from '../../../db/records/records.ts';
import { insertWebhook } from '../../../db/webhooks/webhooks.ts';
import type { CheckInput, CommittedCheck } from '../../../workflows/contract.ts';
import { createTestDatabase, type TestDatabase } from '../servers/database.ts';
import { createTestRecord, newTestId, testKeys } from '../rows/factories.ts';

export interface ActivityBench {
  database: TestDatabase;
  deps: ActivityDeps;
  /** Workflows that activities started or signalled. None of them runs. */
  started: StartedWorkflow[];
  /** Runs one activity as its nth attempt. */
  run: <T>(work: (activities: Activities) => Promise<T>, attempt?: number | Attempt) => Promise<T>;
  /** The activities of another worker process on the same database. */
  otherProcess: (deps?: Partial<ActivityDeps>) => Activities;
  /** Creates a record on the largest tier, checked once an hour. */
  makeRecord: (settings: Partial<NewRecord> & { url: string }) => Promise<string>;
  /** @param secretOf the webhook for which its secret is sealed; a secret sealed for another one cannot be decrypted */
  makeWebhook: (recordId: string, url: string, secretOf?: string) => Promise<string>;
  newCheck: (recordId: string) => CheckInput;
  /** Makes one check: fetches, and compares if the body is new. Every attempt succeeds. */
  check: (recordId: string) => Promise<CommittedCheck>;
  /** Names of the stored bodies. */
  bodies: (recordId: string) => string[];
  spool: () => string[];
  close: () => Promise<void>;
}

/** One attempt of an activity, as a server that knows of the attempts before it would start it. */
export interface Attempt {
  attempt: number;
  /** The time for which Temporal has planned it. Default: now. */
  scheduledAtMs?: number;
  /** What the attempt before said last. */
  heartbeatDetails?: unknown;
  onHeartbeat?: (details: unknown) => void;
  cancellation?: { signal: AbortSignal; details: ActivityCancellationDetails };
}

interface StartedWorkflow {
  workflowId: string;
  input: unknown;
  signal: string | null;
}

export async function openActivityBench(): Promise<ActivityBench> {
  const database = await createTestDatabase();
  const home = mkdtempSync(join(tmpdir(), 'recordwatch-activities-'));
  const config = parseConfig({ MIN_CHECK_SECONDS: '1', HELD_RECHECK_SECONDS: '0' });
  const accountId = newTestId('account');
  const { dataKey, wrapped } = createDataKey(testKeys, accountId);
  await insertAccount(database.db, { id: accountId, name: 'Test', wrappedDataKey: wrapped });
  const started: StartedWorkflow[] = [];
  const deps: ActivityDeps = {
    db: database.db,
    blobs: createFolderBlobs(join(home, 'blobs')),
    guard: createGuard(parseAllowedNetworks(['127.0.0.0/8'])),
    anonymousGuard: createGuard(parseAllowedNetworks([])),
    config: { ...config, keyEncryptionKeys: testKeys },
    log: pino({ level: 'silent' }),
    temporal: recordingClient(started),
    spoolDir: join(home, 'spool'),
    // Tests call attemptDeliveries themselves.
    firstAttemptsWithinMs: 0,
  };
  const activities = createActivities(deps);
  const bench: ActivityBench = {
    database,
    deps,
    started,
    run: (work, attempt = 1) =>
      asyncLocalStorage.run(contextOf(typeof attempt === 'number' ? { attempt } : attempt), () =>
        work(activities),
      ),
    otherProcess: (others = {}) => createActivities({ ...deps, ...others }),
    makeRecord: (settings) => createTestRecord(database.db, accountId, { tier: 'max', ...settings }),
    makeWebhook: async (recordId, url, secretOf) => {
      const id = newTestId('webhook');
      const context = webhookSecretContext(accountId, secretOf ?? id);
      const sealedSecret = sealField(dataKey, 'a secret of the receiver', context);
      await insertWebhook(database.db, { id, recordId, url, sealedSecret }, 1_000);
      return id;
    },
    newCheck: (recordId) => ({ recordId, checkId: newTestId('check'), trigger: 'schedule' }),
    check: async (recordId) => {
      const input = bench.newCheck(recordId);
      const fetched = await bench.run(({ fetchSource }) => fetchSource(input));
      if (fetched.kind === 'later') throw new Error('Nobody takes turns here');
      if (fetched.kind === 'committed') return fetched;
      return bench.run(({ recordDelta }) => recordDelta({ ...input, ...fetched }));
    },
    bodies: (recordId) => list(join(home, 'blobs', recordId)),
    spool: () => list(join(home, 'spool')),
    close: async () => {
      await database.drop();
      rmSync(home, { recursive: true, force: true });
    },
  };
  return bench;
}

/** The part of a Temporal client that activities use. */
function recordingClient(started: StartedWorkflow[]): ActivityDeps['temporal'] {
  const start = (
    _type: string,
    { workflowId, args, signal }: { workflowId: string; args: unknown[]; signal?: { name: string } },
  ): Promise<void> => {
    started.push({ workflowId, input: args[0], signal: signal?.name ?? null });
    return Promise.resolve();
  };
  return { workflow: { start, signalWithStart: start } } as never;
}

/** The part of an activity's context that the product uses: attempt, heartbeats, cancellation. */
function contextOf(options: Attempt): Context {
  const { attempt, scheduledAtMs = Date.now(), heartbeatDetails, onHeartbeat, cancellation } = options;
  const unused = undefined as never;
  const never = new Promise<never>(() => undefined);
  const currentAttemptScheduledTimestampMs = scheduledAtMs;
  const info = { attempt, currentAttemptScheduledTimestampMs, heartbeatDetails } as Context['info'];
  return new Context(
    info,
    never,
    cancellation?.signal ?? new AbortController().signal,
    onHeartbeat ?? (() => undefined),
    undefined,
    unused,
    unused,
    cancellation === undefined ? {} : { details: cancellation.details },
  );
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
