// Taking turns at something scarce, so that nobody has all of it: each subject gets so much at a time, and a short queue.
import { ApiError } from '../../core/errors.ts';

export interface TurnLimits {
  /** Turns of one subject that go on at the same time. */
  atOnce: number;
  /** How many more may wait for one of them. */
  waiting: number;
  /** What is taken in turns, in words for whom it is refused to: a sentence that holds for each subject. */
  words: string;
}

export interface Turns {
  /** Comes back when it is the subject's turn. @returns ends the turn @throws ApiError rate_limited */
  take: (subject: string) => Promise<() => void>;
}

const RETRY_AFTER_SECONDS = 2;

interface Subject {
  underWay: number;
  queue: (() => void)[];
}

export function createTurns({ atOnce, waiting, words }: TurnLimits): Turns {
  const subjects = new Map<string, Subject>();
  const leave = (name: string, subject: Subject): void => {
    const next = subject.queue.shift();
    // Whoever waited longest has the turn from now on: nothing becomes free in between.
    if (next !== undefined) return next();
    subject.underWay -= 1;
    if (subject.underWay === 0) subjects.delete(name);
  };
  return {
    take: async (name) => {
      const subject = subjects.get(name) ?? { underWay: 0, queue: [] };
      subjects.set(name, subject);
      if (subject.underWay < atOnce) subject.underWay += 1;
      else if (subject.queue.length >= waiting) throw tooMany(words);
      else await new Promise<void>((resolve) => subject.queue.push(resolve));
      return () => leave(name, subject);
    },
  };
}

function tooMany(words: string): ApiError {
  return new ApiError('rate_limited', `${words} Send the next one when one is answered.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
