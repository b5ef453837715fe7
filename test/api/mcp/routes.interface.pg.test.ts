// The statements of the interface about MCP, each by its words.
import { expect, it } from 'vitest';
import { TIERS, type Tier } from '../../../core/tiers.ts';
import { useApi } from '../../support/api/api.ts';
import { createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { makeSession } from '../../support/rows/new-session.ts';
import { ERAS, headersOf, messageOf, post } from './caller.ts';

const api = useApi();

/** Lists the tools, with the credential in one of its two locations. */
async function statusOf(
  credential: string,
  location: 'header' | 'token',
  era: (typeof ERAS)[number] = 'older',
): Promise<number> {
  const message = JSON.stringify(messageOf(era, 'tools/list', {}));
  const path = location === 'token' ? `/v1/mcp?token=${credential}` : '/v1/mcp';
  const headers = {
    ...headersOf(era, 'tools/list', {}),
    ...(location === 'header' ? { authorization: `Bearer ${credential}` } : {}),
  };
  return (await post(api, path, message, headers)).status;
}

it.each(['header', 'token'] as const)(
  'interface 4.5: "Accepts every credential type", in the %s: keys of accounts and records, sessions',
  async (location) => {
    const record = await createTestRecord(api.db, api.accountId);
    const credentials = [
      (await createKey(api.db, api.accountId, 'read')).value,
      (await createKey(api.db, api.accountId, 'read', record)).value,
      (await makeSession(api.db)).token,
    ];
    for (const era of ERAS) {
      for (const credential of credentials) expect(await statusOf(credential, location, era)).toBe(200);
    }
  },
);

// Each tier gets its own account, so no other record unlocks anything.
it.each(Object.keys(TIERS).filter((tier) => tier !== 'anonymous') as Tier[])(
  'interface 5: "MCP is available on every tier": %s',
  async (tier) => {
    const accountId = await createAccount(api.db);
    const record = await createTestRecord(api.db, accountId, { tier });
    const { value } = await createKey(api.db, accountId, 'read', record);
    expect(await statusOf(value, 'header')).toBe(200);
  },
);
