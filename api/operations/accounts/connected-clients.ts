// Clients connected to the account through OAuth: list them, end their access.
import { Type } from 'typebox';
import {
  type ConnectedClient,
  listConnectedClients,
  revokeConnectedClient,
} from '../../../db/access/connected-clients.ts';
import { notFound } from '../../contract/errors.ts';
import { idInPath, orderedPageQuery } from '../../input/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { envelope, readPage, USUAL_LIMITS } from '../../input/page.ts';
import { connectedClientSchema, presentConnectedClient } from '../../resources/connected-client.ts';

const ofAccount = { tag: 'Connected clients', scope: 'full', accountOnly: true } as const;

export const listAccountConnectedClients = defineOperation({
  ...ofAccount,
  name: 'listConnectedClients',
  summary: 'List the MCP clients that are connected to the account',
  description: 'They were connected through OAuth by a person who signed in or showed an account key.',
  http: { method: 'GET', path: '/v1/connectedclients' },
  query: orderedPageQuery,
  output: Type.Object({ ...envelope, connectedClients: Type.Array(connectedClientSchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const { accountId } = ctx.principal;
    const { items, ...page } = await readPage<ConnectedClient, [string]>(
      ctx,
      { listing: 'connectedClients', filters: { accountId, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        listConnectedClients(ctx.db, accountId, order, { after: after?.[0] ?? null, limit }),
      (client) => [client.id],
    );
    return { ...page, connectedClients: items.map(presentConnectedClient) };
  },
});

export const disconnectClient = defineOperation({
  ...ofAccount,
  name: 'disconnectClient',
  audit: { action: 'client.disconnect' },
  summary: 'Disconnect an MCP client',
  description: 'All of its tokens stop working at once in every process.',
  http: { method: 'DELETE', path: '/v1/connectedclients/:connectedClientId', status: 204 },
  params: { connectedClientId: idInPath('con') },
  output: Type.Null(),
  async run(ctx, { connectedClientId }) {
    await ctx.db.transaction(async (trx) => {
      const client = await revokeConnectedClient(trx, ctx.principal.accountId, connectedClientId);
      if (client === undefined) throw notFound();
      await ctx.audit(trx, { target: client });
    });
    return null;
  },
});
