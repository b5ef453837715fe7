// A list that is read page by page while it is iterated over.
import { UnreadableAnswerError } from '../errors.ts';

export interface Page<Item> {
  items: readonly Item[];
  hasMore: boolean;
  /** Where the next page begins. */
  nextCursor: string | null;
}

type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** `for await` gives each item of all pages. Each iteration begins with the first page. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>;

  constructor(read: ReadPage<Item>) {
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** The pages themselves. @param cursor where to begin: `nextCursor` of a page of this list */
  async *pages(cursor?: string): AsyncGenerator<Page<Item>, void, undefined> {
    for (let next = cursor; ;) {
      const page = await this.#read(next);
      yield page;
      if (!page.hasMore || page.nextCursor === null) return;
      next = page.nextCursor;
    }
  }

  /** One page. @param cursor `nextCursor` of the page before; the first page without */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#read(cursor);
  }

  /** All items, or the first ones. */
  async toArray(limit = Infinity): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}

/** @throws UnreadableAnswerError it is no page of a list */
export function requirePage({ hasMore }: { hasMore: boolean }, items: readonly unknown[]): void {
  if (!Array.isArray(items) || typeof hasMore !== 'boolean') throw new UnreadableAnswerError();
}

/**
 * @param call reads a page of the API
 * @param itemsOf finds the items in it, which have another name in each list
 */
export function pagesOf<Item, Answer extends { hasMore: boolean; nextCursor: string | null }>(
  call: (cursor: { cursor?: string }) => Promise<Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
): Pages<Item> {
  return new Pages(async (cursor) => {
    const answer = await call(cursor === undefined ? {} : { cursor });
    const items = itemsOf(answer);
    requirePage(answer, items);
    return { items, hasMore: answer.hasMore, nextCursor: answer.nextCursor };
  });
}
