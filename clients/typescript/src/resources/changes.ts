// Changes of a record: its delta events and their rows, and comparisons of snapshots.
import type { Download } from '../http/download.ts';
import type { CallOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type { Comparison, DeltaEvent, DeltaRow, ListQuery, QueryOf } from '../models.ts';

export class Changes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A record’s delta events, newest first. */
  list(record: string, query: ListQuery<'listDeltaEvents'> = {}, options?: CallOptions): Pages<DeltaEvent> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/delta',
          { path: { id: record }, query: { ...query, ...cursor } },
          options,
        ),
      ({ events }) => events,
    );
  }

  /** The latest delta event. */
  latest(
    record: string,
    query: QueryOf<'getLatestDeltaEvent'> = {},
    options?: CallOptions,
  ): Promise<DeltaEvent> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/delta/latest',
      { path: { id: record }, query },
      options,
    );
  }

  /** One delta event. */
  get(
    record: string,
    deltaEventId: string,
    query: QueryOf<'getDeltaEvent'> = {},
    options?: CallOptions,
  ): Promise<DeltaEvent> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/delta/{deltaEventId}',
      { path: { id: record, deltaEventId }, query },
      options,
    );
  }

  /** The new, changed and deleted rows of a delta event, by key. `latest` is the latest event. */
  rows(
    record: string,
    deltaEventId: string,
    query: ListQuery<'listDeltaRows'> = {},
    options?: CallOptions,
  ): Pages<DeltaRow> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/delta/{deltaEventId}/rows',
          { path: { id: record, deltaEventId }, query: { ...query, ...cursor } },
          options,
        ),
      ({ rows }) => rows,
    );
  }

  /** The rows of a delta event as a file. `latest` is the latest event. */
  download(
    record: string,
    deltaEventId: string,
    query: QueryOf<'downloadDelta'> = {},
    options?: CallOptions,
  ): Promise<Download> {
    const path = { id: record, deltaEventId };
    return this.#transport.download(
      '/v1/sources/{id}/delta/{deltaEventId}/download',
      { path, query },
      options,
    );
  }

  /** How many rows differ between two snapshots, and which. */
  compare(record: string, query: QueryOf<'compareSnapshots'>, options?: CallOptions): Promise<Comparison> {
    return this.#transport.call('get', '/v1/sources/{id}/compare', { path: { id: record }, query }, options);
  }

  /** The rows that differ between two snapshots, by key. */
  compareRows(
    record: string,
    query: ListQuery<'compareSnapshotRows'>,
    options?: CallOptions,
  ): Pages<DeltaRow> {
    const path = { id: record };
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/compare/rows',
          { path, query: { ...query, ...cursor } },
          options,
        ),
      ({ rows }) => rows,
    );
  }
}
