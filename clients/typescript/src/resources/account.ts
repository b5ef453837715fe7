// The account: what it uses, who changed what, and the MCP clients that are connected to it.
import type { CallOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type { AuditEntry, ConnectedClient, ListQuery, RecordActivity, Usage } from '../models.ts';

export class Account {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What the account uses, and its tier’s limits. */
  usage(options?: CallOptions): Promise<Usage> {
    return this.#transport.call('get', '/v1/usage', {}, options);
  }

  /** Who changed what, newest first. */
  auditLog(query: ListQuery<'listAuditLog'> = {}, options?: CallOptions): Pages<AuditEntry> {
    return pagesOf(
      (cursor) => this.#transport.call('get', '/v1/auditlog', { query: { ...query, ...cursor } }, options),
      ({ entries }) => entries,
    );
  }

  /** The rows that changed each day, of every record. */
  activity(query: ListQuery<'listActivity'> = {}, options?: CallOptions): Pages<RecordActivity> {
    return pagesOf(
      (cursor) => this.#transport.call('get', '/v1/activity', { query: { ...query, ...cursor } }, options),
      ({ activity }) => activity,
    );
  }

  /** The MCP clients that are connected to the account. */
  connectedClients(
    query: ListQuery<'listConnectedClients'> = {},
    options?: CallOptions,
  ): Pages<ConnectedClient> {
    return pagesOf(
      (cursor) =>
        this.#transport.call('get', '/v1/connectedclients', { query: { ...query, ...cursor } }, options),
      ({ connectedClients }) => connectedClients,
    );
  }

  /** Disconnects an MCP client. */
  disconnectClient(connectedClientId: string, options?: CallOptions): Promise<void> {
    return this.#transport.call(
      'delete',
      '/v1/connectedclients/{connectedClientId}',
      { path: { connectedClientId } },
      options,
    );
  }
}
