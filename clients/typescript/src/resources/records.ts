// Records: data behind a URL that the service watches. `record` is an id, a slug, or `self` with a credential of one record.
import type { CallOptions, ChangeOptions, WaitOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type {
  ActivityOfRecord,
  BodyOf,
  ConditionPreview,
  ListQuery,
  QueryOf,
  EventsPreview,
  RecordPreview,
  RulePreview,
  WatchedRecord,
} from '../models.ts';

export class Records {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The records that the credential can access. */
  list(query: ListQuery<'listRecords'> = {}, options?: CallOptions): Pages<WatchedRecord> {
    return pagesOf(
      (cursor) => this.#transport.call('get', '/v1/sources', { query: { ...query, ...cursor } }, options),
      ({ sources }) => sources,
    );
  }

  /** Fetches a URL once, and shows what a record of it would watch. Creates nothing. */
  previewNew(body: BodyOf<'previewRecord'>, options?: ChangeOptions): Promise<RecordPreview> {
    return this.#transport.call('post', '/v1/previews', { body }, options);
  }

  /** Starts watching the data behind a URL. With `waitSeconds`, the first check is waited for. */
  create(body: BodyOf<'createRecord'>, options?: ChangeOptions): Promise<WatchedRecord> {
    return this.#transport.call('post', '/v1/sources', { body }, options);
  }

  /** One record, with its notices. */
  get(record: string, options?: CallOptions): Promise<WatchedRecord> {
    return this.#transport.call('get', '/v1/sources/{id}', { path: { id: record } }, options);
  }

  /** Changes settings. */
  update(record: string, body: BodyOf<'updateRecord'>, options?: WaitOptions): Promise<WatchedRecord> {
    return this.#transport.call('patch', '/v1/sources/{id}', { path: { id: record }, body }, options);
  }

  /** Deletes a record with all of its history. */
  delete(record: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('delete', '/v1/sources/{id}', { path: { id: record } }, options);
  }

  /** Stops checking a record until it is resumed. */
  pause(record: string, options?: ChangeOptions): Promise<WatchedRecord> {
    return this.#transport.call('post', '/v1/sources/{id}/pause', { path: { id: record } }, options);
  }

  /** Resumes a paused record, with a check at once. */
  resume(record: string, options?: ChangeOptions): Promise<WatchedRecord> {
    return this.#transport.call('post', '/v1/sources/{id}/resume', { path: { id: record } }, options);
  }

  /** Shows what other key fields, ignored fields, rules or another header line would make of the latest body. */
  preview(record: string, body: BodyOf<'previewRule'> = {}, options?: ChangeOptions): Promise<RulePreview> {
    return this.#transport.call('post', '/v1/sources/{id}/preview', { path: { id: record }, body }, options);
  }

  /** What the latest events would have been under other rules or ignored fields. */
  previewEvents(
    record: string,
    body: BodyOf<'previewEvents'> = {},
    options?: ChangeOptions,
  ): Promise<EventsPreview> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/preview/events',
      { path: { id: record }, body },
      options,
    );
  }

  /** How often a webhook with this condition and these filters would have been called in the last 30 days. */
  previewCondition(
    record: string,
    body: BodyOf<'previewCondition'> = {},
    options?: ChangeOptions,
  ): Promise<ConditionPreview> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/preview/condition',
      { path: { id: record }, body },
      options,
    );
  }

  /** Moves the record of an anonymous session into the account, with its history. */
  keep(body: BodyOf<'keepRecord'>, record = 'self', options?: ChangeOptions): Promise<WatchedRecord> {
    return this.#transport.call('post', '/v1/sources/{id}/keep', { path: { id: record }, body }, options);
  }

  /** Counts changes and checks by hour or day. */
  activity(
    record: string,
    query: QueryOf<'getRecordActivity'> = {},
    options?: CallOptions,
  ): Promise<ActivityOfRecord> {
    return this.#transport.call('get', '/v1/sources/{id}/activity', { path: { id: record }, query }, options);
  }
}
