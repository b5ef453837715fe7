// Checks: the runs against a record’s origin.
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import { type Pages, pagesOf } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type { AcceptedCheck, Check, CheckDetail, ListQuery } from '../models.ts';

export class Checks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Checks a record now. With `waitSeconds`, the answer has the outcome. */
  run(record: string, options?: ChangeOptions): Promise<Check> {
    return this.#transport.call('post', '/v1/sources/{id}/check', { path: { id: record } }, options);
  }

  /** A record’s checks, newest first. */
  list(record: string, query: ListQuery<'listChecks'> = {}, options?: CallOptions): Pages<Check> {
    return pagesOf(
      (cursor) =>
        this.#transport.call(
          'get',
          '/v1/sources/{id}/checks',
          { path: { id: record }, query: { ...query, ...cursor } },
          options,
        ),
      ({ checks }) => checks,
    );
  }

  /** One check; for a held one also what it would change. */
  get(record: string, checkId: string, options?: CallOptions): Promise<CheckDetail> {
    return this.#transport.call(
      'get',
      '/v1/sources/{id}/checks/{checkId}',
      { path: { id: record, checkId } },
      options,
    );
  }

  /** Accepts a held check: its rows become the next snapshot. */
  accept(record: string, checkId: string, options?: ChangeOptions): Promise<AcceptedCheck> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/checks/{checkId}/accept',
      { path: { id: record, checkId } },
      options,
    );
  }

  /** Discards a held check. */
  reject(record: string, checkId: string, options?: ChangeOptions): Promise<Check> {
    return this.#transport.call(
      'post',
      '/v1/sources/{id}/checks/{checkId}/reject',
      { path: { id: record, checkId } },
      options,
    );
  }
}
