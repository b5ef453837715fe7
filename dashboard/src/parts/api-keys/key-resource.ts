// Creates, lists and revokes the keys of one owner: an account, or one of its records.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useApiClient } from '../../client/api-provider.tsx';
import { answerOf } from '../../client/answer-of.ts';
import type { components } from '../../client/schema.ts';
import { BY_CURSOR } from '../state/cursor-query.ts';

export type ApiKey = components['schemas']['ApiKey'];
export type Scope = ApiKey['scope'];

export interface NewKey<S extends Scope = Scope> {
  name: string;
  scope: S;
  /** Undefined: never. */
  expiresAt?: string;
}

interface KeyPage {
  apiKeys: ApiKey[];
  nextCursor: string | null;
}

export interface KeyResource {
  /** Identifies the owner in the cache. */
  owner: string;
  scopes: readonly Scope[];
  read: (cursor: string | undefined) => Promise<KeyPage>;
  /** The key's value. */
  create: (wanted: NewKey) => Promise<string>;
  revoke: (keyId: string) => Promise<unknown>;
}

export function useAccountKeys(): KeyResource {
  const api = useApiClient();
  return {
    owner: 'account',
    scopes: ['full', 'read', 'download', 'feed'],
    read: (cursor) => answerOf(api.GET('/v1/apikeys', { params: { query: pageAfter(cursor) } })),
    create: async (body) => valueOf(await answerOf(api.POST('/v1/apikeys', { body }))),
    revoke: (keyId) => api.DELETE('/v1/apikeys/{keyId}', { params: { path: { keyId } } }),
  };
}

/** @param ref the record */
export function useRecordKeys(ref: string): KeyResource {
  const api = useApiClient();
  const ofRecord = { id: ref };
  return {
    owner: ref,
    scopes: ['read', 'download', 'feed'],
    read: (cursor) =>
      answerOf(api.GET('/v1/sources/{id}/apikeys', { params: { path: ofRecord, query: pageAfter(cursor) } })),
    create: async ({ scope, ...rest }) => {
      if (scope === 'full') throw new Error('a key of one record cannot have the scope full');
      const body = { ...rest, scope };
      return valueOf(
        await answerOf(api.POST('/v1/sources/{id}/apikeys', { params: { path: ofRecord }, body })),
      );
    },
    revoke: (keyId) =>
      api.DELETE('/v1/sources/{id}/apikeys/{keyId}', { params: { path: { ...ofRecord, keyId } } }),
  };
}

/** The API omits it from repeated answers, which are not requested here. */
function valueOf({ key }: components['schemas']['CreatedApiKey']): string {
  if (key === undefined) throw new Error('the API answered without the key');
  return key;
}

const PAGE_SIZE = 100;

const pageAfter = (cursor: string | undefined) => ({
  limit: PAGE_SIZE,
  ...(cursor !== undefined && { cursor }),
});

/** Newest first, page by page. */
export function useKeyList({ owner, read }: KeyResource) {
  return useInfiniteQuery({
    queryKey: ['keys', owner],
    queryFn: ({ pageParam }) => read(pageParam),
    ...BY_CURSOR,
    select: ({ pages }) => pages.flatMap(({ apiKeys }) => apiKeys),
  });
}

/** Call after a key was created or revoked. */
export function useRefreshKeys({ owner }: KeyResource) {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['keys', owner] });
}

type KeyState = 'works' | 'revoked' | 'expired';

export function stateOf({ revokedAt, expiresAt }: ApiKey): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'works';
}
