// A client connected through OAuth, in responses.
import { type Static, Type } from 'typebox';
import type { ConnectedClient } from '../../db/access/connected-clients.ts';
import { nullable, time } from './shapes.ts';

export const connectedClientSchema = Type.Object(
  {
    id: Type.String({ description: 'Identifies the client, to disconnect it.' }),
    name: Type.String({ description: 'The client’s own name, which is not verified.' }),
    clientId: Type.String({ description: 'The client’s id at the authorization server.' }),
    scope: Type.Enum(['download', 'read', 'full'], {
      description: 'The widest scope of its tokens, over MCP only.',
    }),
    createdAt: time,
    lastUsedAt: nullable(
      Type.String({ ...time, description: 'Updated once a minute at most; null before the first use.' }),
    ),
  },
  { title: 'ConnectedClient' },
);

export function presentConnectedClient(client: ConnectedClient): Static<typeof connectedClientSchema> {
  const { id, name, clientId, scope, createdAt, lastUsedAt } = client;
  return {
    id,
    name,
    clientId,
    scope,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
