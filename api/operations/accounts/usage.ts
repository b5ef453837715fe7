// What the account has and uses, and its tier's limits.
import { Type } from 'typebox';
import { isPaidTier, smallestIntervalSeconds, TIERS } from '../../../core/tiers.ts';
import { readAccountUsage } from '../../../db/access/account-overviews.ts';
import { defineOperation } from '../../contract/operation.ts';
import { time } from '../../resources/shapes.ts';

const count = Type.Integer({ minimum: 0 });

export const getUsage = defineOperation({
  name: 'getUsage',
  tag: 'Account',
  scope: 'read',
  accountOnly: true,
  summary: 'Read what the account uses, and its tier’s limits',
  description:
    'The tier of an account is the highest among its records, and applies to account-wide limits. A record’s size ' +
    'and check interval depend on its own tier.',
  http: { method: 'GET', path: '/v1/usage' },
  output: Type.Object(
    {
      tier: Type.Enum(['free', 'watch', 'max']),
      isUnlocked: Type.Boolean({
        description: 'Whether API keys and webhooks can be created: true on a paid tier.',
      }),
      records: count,
      failingRecords: Type.Integer({ minimum: 0, description: 'Records whose latest checks failed.' }),
      apiKeys: Type.Integer({ minimum: 0, description: 'Valid keys of the account and of its records.' }),
      webhooks: count,
      connectedClients: count,
      mcpCalls: Type.Object({
        usedToday: count,
        limitPerDay: count,
        resetAt: time,
      }),
      requestsPerMinute: count,
      limitsOfRecords: Type.Object(
        {
          minCheckIntervalMinutes: Type.Number(),
          maxRows: count,
          maxBodyBytes: count,
          retentionDays: count,
        },
        { description: 'Limits of a record on this tier.' },
      ),
    },
    { title: 'Usage' },
  ),
  async run({ db, config, principal }) {
    // Only sessions have the tier `anonymous`, and this operation is for accounts.
    const tier = principal.tier === 'anonymous' ? 'free' : principal.tier;
    const limits = TIERS[tier];
    const { mcpCallsToday, mcpCallsResetAt, ...counts } = await readAccountUsage(db, principal.accountId);
    return {
      tier,
      isUnlocked: isPaidTier(tier),
      ...counts,
      mcpCalls: {
        usedToday: mcpCallsToday,
        limitPerDay: limits.mcpCallsPerDay,
        resetAt: mcpCallsResetAt.toISOString(),
      },
      requestsPerMinute: limits.requestsPerMinute * config.rateLimitFactor,
      limitsOfRecords: {
        minCheckIntervalMinutes: smallestIntervalSeconds(tier, config.minCheckSeconds) / 60,
        maxRows: limits.maxRows,
        maxBodyBytes: limits.maxBodyBytes,
        retentionDays: limits.retentionDays,
      },
    };
  },
});
