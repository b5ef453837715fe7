// Anonymous sessions: create, read and end them.
import { Type } from 'typebox';
import { presentRecord, recordSchema } from '../../resources/record.ts';
import { time } from '../../resources/shapes.ts';
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import { createDataKey } from '../../../core/crypto/envelope.ts';
import { TIERS } from '../../../core/tiers.ts';
import { findSessionTimes, insertSession } from '../../../db/access/ephemeral-sessions.ts';
import { readWritten } from '../../../db/records/records.ts';
import { readUsed, sessionCallsSubject } from '../../../db/usage/usage-counters.ts';
import { awaitFirstCheck } from './create-record.ts';
import {
  requireSessionRoom,
  SESSIONS_PER_DAY,
  SESSIONS_PER_HOUR,
  takeHost,
  takeSession,
} from '../../access/usage-limits.ts';
import { notFound } from '../../contract/errors.ts';
import { readRecord } from '../../access/find-named.ts';
import { newId } from '../../contract/new-id.ts';
import { defineOperation, definePublicOperation } from '../../contract/operation.ts';
import { newRecordBody, readNewRecord } from '../../records/record-settings.ts';
import { sealCredentials } from '../../records/seal-credentials.ts';
import { slugFromName } from '../../records/slugs.ts';
import { startWorkflow } from '../../temporal/workflows.ts';

const expiresAt = Type.String({
  ...time,
  description: 'When the token expires and the record is erased, unless it is kept before.',
});

const createdSessionSchema = Type.Object(
  {
    token: Type.String({ description: 'The credential of the session. Shown only here.' }),
    expiresAt,
    source: recordSchema,
    mcpUrl: Type.String({
      description:
        'For MCP clients that cannot send headers. It contains the token: anyone with it controls the record.',
    }),
  },
  { title: 'CreatedSession' },
);

const sessionSchema = Type.Object(
  {
    expiresAt,
    secondsLeft: Type.Integer({ description: 'By the service’s clock.' }),
    source: recordSchema,
    mcpCalls: Type.Object(
      { limit: Type.Integer(), used: Type.Integer(), left: Type.Integer() },
      { description: 'MCP tool calls, counted over the whole session.' },
    ),
  },
  { title: 'Session' },
);

export const createSession = definePublicOperation({
  name: 'createSession',
  audit: { action: 'record.create' },
  tag: 'Sessions',
  summary: 'Watch the data behind a URL without an account',
  description: `Creates one record, and a token that controls it for 24 hours: send it as \`Authorization: Bearer <token>\`. Then the record is erased with all of its history, unless it was kept (\`POST /v1/sources/self/keep\`). Each address gets ${SESSIONS_PER_HOUR} sessions an hour and ${SESSIONS_PER_DAY} a day. \`Idempotency-Key\` has no effect here. A setting that is \`null\` counts as not given.`,
  errors: ['url_not_allowed', 'rate_limited'],
  secrets: ['token', 'mcpUrl'],
  http: { method: 'POST', path: '/v1/sessions', status: 201 },
  body: newRecordBody,
  mayWait: true,
  output: createdSessionSchema,
  async run(ctx, given) {
    const settings = readNewRecord(given, ctx, 'anonymous');
    const { config, clock } = ctx;
    await requireSessionRoom(ctx.db, config.sessionsMax);
    await takeSession(ctx.db, ctx.address);
    const accountId = newId('account', clock());
    const { wrapped } = createDataKey(config.keyEncryptionKeys, accountId);
    const account = { id: accountId, name: 'Anonymous session', wrappedDataKey: wrapped };
    const slug = given.slug ?? slugFromName(settings.name);
    const record = { ...settings, id: newId('record', clock()), accountId, slug };
    const { value: token, hash: tokenHash } = mintApiKey('ephemeral');
    const id = newId('session', clock());
    const { expiresAt, made } = await ctx.db.transaction(async (trx) => {
      await takeHost(trx, record.url);
      const end = await insertSession(trx, {
        id,
        tokenHash,
        account,
        record,
        credentials: sealCredentials(config, account, record, given),
        lengthSeconds: config.sessionSeconds,
      });
      await ctx.audit(trx, { target: record, by: { accountId, credentialId: id } });
      return { expiresAt: end, made: await readWritten(trx, record.id) };
    });
    await startWorkflow(ctx, record);
    return {
      token,
      expiresAt: expiresAt.toISOString(),
      source: presentRecord(await awaitFirstCheck(ctx, made)),
      mcpUrl: `${config.baseUrl}/v1/mcp?token=${token}`,
    };
  },
});

export const getSession = defineOperation({
  name: 'getSession',
  tag: 'Sessions',
  scope: 'read',
  summary: 'Read what remains of an anonymous session',
  description: 'With the session’s own token. Any other credential gets 404.',
  errors: ['not_found'],
  http: { method: 'GET', path: '/v1/sessions/self' },
  output: sessionSchema,
  async run(ctx) {
    const { db, principal } = ctx;
    if (principal.kind !== 'ephemeral') throw notFound();
    const { credentialId, recordId } = principal;
    const times = await findSessionTimes(db, credentialId);
    if (times === undefined) throw notFound();
    const limit = TIERS.anonymous.mcpCallsPerDay;
    const used = await readUsed(db, sessionCallsSubject(credentialId), 'ever');
    return {
      expiresAt: times.expiresAt.toISOString(),
      secondsLeft: Math.floor(times.secondsLeft),
      source: presentRecord(await readRecord(ctx, recordId)),
      mcpCalls: { limit, used, left: Math.max(0, limit - used) },
    };
  },
});
