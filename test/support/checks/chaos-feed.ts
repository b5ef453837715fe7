// A table that changes at random, from a seed, and records every version that it served.
import type { OriginBehaviour } from '../servers/origin-server.ts';

/** Random numbers from 0 to 1, reproducible by their seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface ChaosFeed {
  /** Answers the next request: mostly with a table, often a new one, sometimes with a fault. */
  answer: () => OriginBehaviour;
  /** Starts the changes. Before this and after `rest` the table is constant and the origin has no faults. */
  stir: () => void;
  rest: () => void;
  /** Every table that was served whole, oldest first. */
  shown: { csv: string; atMs: number }[];
  current: () => string;
}

export function createChaosFeed(random: () => number, hasEtag: boolean): ChaosFeed {
  const rows = new Map(Array.from({ length: 40 }, (_, id) => [id, pickWord(random)]));
  const shown: ChaosFeed['shown'] = [];
  let isStirred = false;
  let body = write(rows, false);

  const mutate = (): void => {
    for (const id of [...rows.keys()].filter(() => random() < 0.05)) rows.set(id, pickWord(random));
    for (const id of [...rows.keys()].filter(() => random() < 0.03)) if (rows.size > 25) rows.delete(id);
    for (let id = 0; id < 60; id += 1) if (!rows.has(id) && random() < 0.05) rows.set(id, pickWord(random));
    body = write(rows, random() < 0.2);
  };

  const table = (text: string): OriginBehaviour => {
    if (shown.at(-1)?.csv !== text) shown.push({ csv: text, atMs: Date.now() });
    return { body: text, ...(hasEtag ? { etag: `"${shown.length}"` } : {}) };
  };

  return {
    shown,
    current: () => body,
    stir: () => {
      isStirred = true;
    },
    rest: () => {
      isStirred = false;
    },
    answer: () => {
      if (!isStirred) return table(body);
      const dice = random();
      if (dice < 0.05) return { status: 503 };
      if (dice < 0.1) return { body, cutAfterBytes: Math.floor(random() * body.length) };
      // Most rows are missing in one answer, which must be held and not recorded.
      if (dice < 0.13) return table(body.split('\n').slice(0, 6).join('\n'));
      if (dice < 0.85) mutate();
      return table(body);
    },
  };
}

const pickWord = (random: () => number): string => `word ${Math.floor(random() * 50)}`;

/** @param isTurned writes the same table differently: quoted, with another order of rows and columns */
function write(rows: ReadonlyMap<number, string>, isTurned: boolean): string {
  const lines = [...rows].map(([id, word]) => (isTurned ? `"${word}","${id}"` : `${id},${word}`));
  return `${[isTurned ? 'word,id' : 'id,word', ...(isTurned ? lines.toReversed() : lines)].join('\n')}\n`;
}
