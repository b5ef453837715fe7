// The feed: the events of all records that the credential can access, in the order of their commits.
import { followFeed, type FollowOptions } from '../feed/follow.ts';
import type { WaitOptions } from '../http/options.ts';
import { requirePage } from '../http/pages.ts';
import type { Transport } from '../http/transport.ts';
import type { FeedEvent, QueryOf } from '../models.ts';

/** A page of the feed. */
export interface FeedPage {
  events: FeedEvent[];
  hasMore: boolean;
  /** Where to continue, also after an empty page. */
  nextCursor: string;
}

export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page. With `waitSeconds`, an empty page is answered as soon as there is an event. */
  async page(query: QueryOf<'listEvents'> = {}, options?: WaitOptions): Promise<FeedPage> {
    const page = await this.#transport.call('get', '/v1/events', { query }, options);
    requirePage(page, page.events);
    return page;
  }

  /**
   * Gives each event, waits for further ones, and reconnects, until the signal aborts. The place in `store` moves on when the
   * loop asks for the next event: after a crash the event that was being handled comes again.
   * @throws FeedGoneError the events after the stored place are no longer kept
   */
  follow(options: FollowOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    return followFeed((query, options) => this.page(query, options), this.#transport.maxRetryWaitMs, options);
  }
}
