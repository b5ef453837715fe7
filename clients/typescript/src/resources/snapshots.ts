// Snapshots: the distinct versions of a record’s data. `latest` works for a snapshot’s id.
import type { Download } from '../http/download.ts';
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type {
  BodyOf,
  DownloadLink,
  ListQuery,
  Profile,
  QueryOf,
  QueryResult,
  RowData,
  RowHistoryEntry,
  RowSample,
  Snapshot,
  SnapshotRow,
} from '../models.ts';

/** The most that the API sends at once. */
const ROWS_OF_PAGE = 100;

export class Snapshots {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A record’s snapshots, newest first. */
  list(record: string, query: ListQuery<'listSnapshots'> = {}, options?: CallOptions): Pages<Snapshot> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/snapshots',
          { path: { id: record }, query: { ...query, ...cursor } },
          options,
        ),
      ({ snapshots }) => snapshots,
    );
  }

  /** One snapshot. */
  get(record: string, snapshotId = 'latest', options?: CallOptions): Promise<Snapshot> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/snapshots/{snapshotId}',
      { path: { id: record, snapshotId } },
      options,
    );
  }

  /** The rows of a snapshot with their keys, page by page. For all rows of a large snapshot, `export` is faster. */
  rows(
    record: string,
    snapshotId = 'latest',
    query: ListQuery<'listRowsOfSnapshot'> = {},
    options?: CallOptions,
  ): Pages<SnapshotRow> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/snapshots/{snapshotId}/rows',
          { path: { id: record, snapshotId }, query: { limit: ROWS_OF_PAGE, ...query, ...cursor } },
          options,
        ),
      ({ rows }) => rows,
    );
  }

  /** The rows of a snapshot as they arrive, in one request. */
  async *export(
    record: string,
    snapshotId = 'latest',
    query: Omit<QueryOf<'downloadSnapshot'>, 'format' | 'escape'> = {},
    options?: CallOptions,
  ): AsyncGenerator<RowData, void, undefined> {
    yield* (await this.download(record, snapshotId, { ...query, format: 'jsonl' }, options)).rows();
  }

  /** A snapshot as a file in CSV or JSON Lines. */
  download(
    record: string,
    snapshotId = 'latest',
    query: QueryOf<'downloadSnapshot'> = {},
    options?: CallOptions,
  ): Promise<Download> {
    const path = { id: record, snapshotId };
    return this.#transport.download(
      '/v1/sources/{id}/snapshots/{snapshotId}/download',
      { path, query },
      options,
    );
  }

  /** A link to a snapshot’s file that works for 15 minutes without a credential. */
  createDownloadLink(
    record: string,
    snapshotId = 'latest',
    body: BodyOf<'createDownloadLink'> = {},
    options?: ChangeOptions,
  ): Promise<DownloadLink> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/snapshots/{snapshotId}/download-links',
      { path: { id: record, snapshotId }, body },
      options,
    );
  }

  /** Some rows, at random or by the values of a column. */
  sample(
    record: string,
    snapshotId = 'latest',
    query: QueryOf<'sampleSnapshotRows'> = {},
    options?: CallOptions,
  ): Promise<RowSample> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/snapshots/{snapshotId}/sample',
      { path: { id: record, snapshotId }, query },
      options,
    );
  }

  /** The columns: type, extremes, distinct values, samples. */
  profile(
    record: string,
    snapshotId = 'latest',
    query: QueryOf<'getSnapshotProfile'> = {},
    options?: CallOptions,
  ): Promise<Profile> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/snapshots/{snapshotId}/profile',
      { path: { id: record, snapshotId }, query },
      options,
    );
  }

  /** Counts, groups and adds up rows. */
  query(
    record: string,
    body: BodyOf<'querySnapshot'>,
    snapshotId = 'latest',
    options?: CallOptions,
  ): Promise<QueryResult> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/snapshots/{snapshotId}/query',
      { path: { id: record, snapshotId }, body },
      options,
    );
  }

  /** One row of the latest snapshot, by its key. */
  row(record: string, key: string, options?: CallOptions): Promise<SnapshotRow> {
    return this.#transport.call('get', '/v1/sources/{id}/rows/{key}', { path: { id: record, key } }, options);
  }

  /** When a row appeared, changed, disappeared and returned. */
  rowHistory(
    record: string,
    key: string,
    query: ListQuery<'getRowHistory'> = {},
    options?: CallOptions,
  ): Pages<RowHistoryEntry> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/rows/{key}/history',
          { path: { id: record, key }, query: { ...query, ...cursor } },
          options,
        ),
      ({ rows }) => rows,
    );
  }
}
