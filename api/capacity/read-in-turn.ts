// The reads of a file that is searched for: each costs what it costs in a listing, so each stands in the same line.
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import type { Tier } from '../../core/tiers.ts';
import type { RunRead } from '../../db/rows/export-selected-rows.ts';
import type { PublicContext } from '../contract/context.ts';
import { heavyRead } from './heavy-read.ts';

const NEXT_TRY_MS = 250;

/**
 * Only the first read is refused when the line is full: a file under way waits, for as long as its reader does.
 * @param owner whose rows they are, whoever reads them
 */
export function readInTurn(
  { heavyDb, signal }: Pick<PublicContext, 'heavyDb' | 'signal'>,
  { tier, accountId }: { tier: Tier; accountId: string },
): RunRead {
  const principal = { kind: tier === 'anonymous' ? 'ephemeral' : 'account', accountId } as const;
  let isBegun = false;
  return async (read) => {
    for (;;) {
      try {
        const found = await heavyRead({ heavyDb, principal }, read);
        isBegun = true;
        return found;
      } catch (error) {
        const isFull = error instanceof ApiError && error.code === 'rate_limited';
        if (!isBegun || !isFull || signal.aborted) throw error;
        await wait(NEXT_TRY_MS);
      }
    }
  };
}
