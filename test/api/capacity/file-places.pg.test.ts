// How many files may be under way at once, and whose.
import { describe, expect, it } from 'vitest';
import { createFilePlaces } from '../../../api/capacity/file-places.ts';

const account = (id: number) => ({ accountId: `acc_${id}`, isAnonymous: false });
const session = (id: number) => ({ accountId: `acc_s${id}`, isAnonymous: true });

/** Takes places until there is none. @returns those that were had, and why there are no more */
function takeAll(
  places: ReturnType<typeof createFilePlaces>,
  ownerOf: (n: number) => ReturnType<typeof account>,
) {
  const taken: (() => void)[] = [];
  try {
    for (;;) taken.push(places.take(ownerOf(taken.length)));
  } catch (error) {
    return { taken, error };
  }
}

describe('places for files', () => {
  it('are eight for an account, and 64 in all', () => {
    const places = createFilePlaces();
    const { taken, error } = takeAll(places, () => account(0));
    expect(taken).toHaveLength(8);
    expect(error).toMatchObject({ code: 'rate_limited' });
    const others = takeAll(places, (n) => account(n + 1));
    expect(others.taken).toHaveLength(56);
    expect(others.error).toMatchObject({ code: 'unavailable' });
    taken[0]?.();
    places.take(account(0));
  });

  it('are 16 for all anonymous sessions, so that slow strangers leave room for accounts', () => {
    const places = createFilePlaces();
    const { taken, error } = takeAll(places, session);
    expect(taken).toHaveLength(16);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(takeAll(places, (n) => account(n)).taken).toHaveLength(48);
    taken[0]?.();
    expect(takeAll(places, session).taken).toHaveLength(1);
  });
});
