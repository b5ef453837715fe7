// An API key in responses. Its value is only in the response to its creation.
import { type Static, Type } from 'typebox';
import { SCOPES } from '../../core/principal.ts';
import type { PublicApiKey } from '../../db/access/api-keys.ts';
import { nullable, time } from './shapes.ts';

const fields = {
  id: Type.String({ description: 'Identifies the key, to revoke it.' }),
  name: Type.String(),
  scope: Type.Enum([...SCOPES]),
  kind: Type.Enum(['account', 'record'], {
    description: '`account`: for all records of the account; `record`: for one of them.',
  }),
  prefix: Type.String({ description: 'The beginning of the key; with `last4` it tells keys apart.' }),
  last4: Type.String(),
  createdAt: time,
  lastUsedAt: nullable(
    Type.String({ ...time, description: 'Updated once a minute at most; null before the first use.' }),
  ),
  expiresAt: nullable(Type.String({ ...time, description: 'When it expires; null: never.' })),
  revokedAt: nullable(Type.String({ ...time, description: 'When it was revoked; null: it was not.' })),
};

export const apiKeySchema = Type.Object(fields, { title: 'ApiKey' });

export const createdApiKeySchema = Type.Object(
  {
    ...fields,
    key: Type.String({ description: 'The key itself. Shown only here.' }),
  },
  { title: 'CreatedApiKey' },
);

export function presentApiKey(apiKey: PublicApiKey): Static<typeof apiKeySchema> {
  const { id, name, scope, kind, prefix, last4 } = apiKey;
  return {
    id,
    name,
    scope,
    kind,
    prefix,
    last4,
    createdAt: apiKey.createdAt.toISOString(),
    lastUsedAt: apiKey.lastUsedAt?.toISOString() ?? null,
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
    revokedAt: apiKey.revokedAt?.toISOString() ?? null,
  };
}
