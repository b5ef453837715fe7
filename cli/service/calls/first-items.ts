// The first items of a list of the API.
import type { Pages } from '../../../clients/typescript/src/http/pages.ts';

/** @param limit 0: all */
export async function firstItems<Item>(
  list: Pages<Item>,
  limit: number,
): Promise<{ items: Item[]; hasMore: boolean }> {
  const items: Item[] = [];
  const wanted = limit === 0 ? Infinity : limit;
  for await (const page of list.pages()) {
    items.push(...page.items);
    if (items.length < wanted) continue;
    return { items: items.slice(0, wanted), hasMore: page.hasMore || items.length > wanted };
  }
  return { items, hasMore: false };
}

const MOST_OF_PAGE = 100;

/** The size of pages that is enough for so many items. */
export const pageSize = (limit: number): number =>
  limit === 0 ? MOST_OF_PAGE : Math.min(MOST_OF_PAGE, limit);
