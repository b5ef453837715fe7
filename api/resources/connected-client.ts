// A client connected through OAuth, in responses.
import { type Static, Type } from 'typebox';
import { SCOPES } from '../../core/principal.ts';
import type { ConnectedClient } from '../../db/access/connected-clients.ts';
import { nullable, time } from './shapes.ts';

export const connectedClientSchema = Type.Object(
  {
    id: Type.String({ description: 'Names the client when it is disconnected.' }),
    name: Type.String({ description: 'What the client calls itself; nobody has checked it.' }),
    clientId: Type.String({ description: 'The client to the authorization server.' }),
    scope: Type.Enum([...SCOPES], { description: 'The most that its tokens permit, over MCP only.' }),
    createdAt: time,
    lastUsedAt: nullable(
      Type.String({ ...time, description: 'Noted once a minute at most; null before the first use.' }),
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
