// Who a key is: what kind of key, what it may do, and what it reaches. Asked of the service, because a key shows only its kind.
import { ApiError } from '../../../clients/typescript/src/errors.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { API_KEY_PREFIXES, type ApiKeyKind, parseApiKey } from '../../../core/crypto/api-key.ts';
import { EXIT } from '../../operator/fail.ts';
import type { Access } from '../calls/open-client.ts';
import { ServiceFault } from '../calls/service-fault.ts';

export interface Who {
  url: string;
  kind: 'account' | 'record' | 'session';
  /** The beginning and the end of the key, as the API shows keys. */
  key: string;
  scope: 'full' | 'read' | 'download';
  /** Of an account. */
  tier: string | null;
  /** How many records it reaches; null if it may not tell. */
  records: number | null;
  /** Of a key for one record. */
  sourceSlug: string | null;
}

const KINDS: Partial<Record<ApiKeyKind, Who['kind']>> = {
  account: 'account',
  record: 'record',
  ephemeral: 'session',
};

/** @throws ServiceFault it has not the form of a key, or was not copied whole */
export function requireKey(text: string): Who['kind'] {
  const parsed = parseApiKey(text);
  const kind = parsed && KINDS[parsed.kind];
  if (kind !== undefined) return kind;
  throw new ServiceFault('This is not an API key.', {
    advice: `A key begins with ${API_KEY_PREFIXES.account} or ${API_KEY_PREFIXES.record}. Copy all of it.`,
    exitCode: EXIT.misuse,
  });
}

/** @throws RecordwatchError the service refuses the key, or does not answer */
export async function askWho(client: Recordwatch, { url, apiKey }: Access): Promise<Who> {
  const kind = requireKey(apiKey);
  const key = `${/^cat_[a-z]+_/.exec(apiKey)?.[0]}…${apiKey.slice(-4)}`;
  const known = { url, kind, key };
  try {
    if (kind === 'account') return { ...known, ...(await askAccount(client)) };
    const { slug } = await client.records.get('self');
    const scope = kind === 'session' ? 'full' : 'read';
    return { ...known, scope, tier: null, records: 1, sourceSlug: slug };
  } catch (error) {
    if (!isScope(error)) throw error;
    // Reading a record takes the second smallest scope.
    return { ...known, scope: 'download', tier: null, records: null, sourceSlug: null };
  }
}

async function askAccount(client: Recordwatch): Promise<Omit<Who, 'url' | 'kind' | 'key'>> {
  const { tier, records } = await client.account.usage();
  const scope = await client.keys
    .list({ limit: 1 })
    .page()
    .then(
      () => 'full' as const,
      (error: unknown) => {
        if (isScope(error)) return 'read' as const;
        throw error;
      },
    );
  return { scope, tier, records, sourceSlug: null };
}

const isScope = (error: unknown): boolean => error instanceof ApiError && error.code === 'insufficient_scope';
