// The client of a service: calls of its HTTP API with the user's key.
import { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { programVersion } from '../../program-version.ts';
import { parseExactly } from './exact-json.ts';

export interface Access {
  /** Of the service. */
  url: string;
  apiKey: string;
}

export interface Patience {
  maxRetries: number;
  /** Why the service does not answer; undefined: it answers again. */
  onOutage: (why: string | undefined) => void;
}

/** For commands that somebody waits for. */
const SHORT: Patience = { maxRetries: 2, onOutage: () => undefined };

/** For commands that follow a service: they wait until it is back. */
export const ENDLESS: Patience = {
  maxRetries: Infinity,
  onOutage: (why) =>
    console.error(why === undefined ? 'The service answers again.' : `No answer (${why}). Trying again.`),
};

/** @param access without a key for calls that need none */
export function openClient(
  { url, apiKey }: Pick<Access, 'url'> & Partial<Access>,
  patience: Patience = SHORT,
): Recordwatch {
  const { maxRetries, onOutage } = patience;
  return new Recordwatch({
    baseUrl: url,
    apiKey,
    maxRetries,
    parseJson: parseExactly,
    fetch: tellingOutages(onOutage),
  });
}

const SERVER_ERROR = 500;

function tellingOutages(onOutage: Patience['onOutage']): typeof fetch {
  let isAway = false;
  const note = (why: string | undefined): void => {
    if (isAway === (why !== undefined)) return;
    isAway = why !== undefined;
    onOutage(why);
  };
  return async (url, init) => {
    const headers = {
      ...(init?.headers as Record<string, string>),
      'user-agent': `recordwatch/${programVersion()}`,
    };
    try {
      const answer = await fetch(url, { ...init, headers });
      note(answer.status < SERVER_ERROR ? undefined : `status ${answer.status}`);
      return answer;
    } catch (error) {
      if (init?.signal?.aborted !== true) note(reasonOf(error));
      throw error;
    }
  };
}

/** What the system said: fetch hides it. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // Several addresses of a name fail as one error, which has no words.
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  return first instanceof Error ? first.message || first.name : String(first);
}
