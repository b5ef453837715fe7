// The client of a service: calls of its HTTP API with the user's key.
import { ConnectionError } from '../../../clients/typescript/src/errors.ts';
import { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { programVersion } from '../../program-version.ts';
import { parseExactly } from '../../../core/text/exact-json.ts';
import { reasonOf } from './unreachable.ts';

export interface Access {
  /** Of the service. */
  url: string;
  apiKey: string;
}

export interface Patience {
  maxRetries: number;
  /** The time for one attempt. A file that is downloaded must have begun by then. */
  timeoutMs: number;
  /** Why the service does not answer; undefined: it answers again. */
  onOutage: (why: Outage | undefined) => void;
}

interface Outage {
  words: string;
  /** It took the request, and said nothing for as long as an attempt may take. */
  isSilence: boolean;
}

/** A question to the service's database may take 10 s (api/main.ts). */
const TIMEOUT_MS = 30_000;

/** For commands that somebody waits for. Only a silence is told, which is long: others end soon. */
const SHORT: Patience = {
  maxRetries: 2,
  timeoutMs: TIMEOUT_MS,
  onOutage: (why) => {
    if (why?.isSilence === true) console.error(`${why.words} Trying again.`);
  },
};

/** For commands that follow a service: they wait until it is back. */
export const ENDLESS: Patience = {
  maxRetries: Infinity,
  timeoutMs: TIMEOUT_MS,
  onOutage: (why) => {
    if (why === undefined) console.error('The service answers again.');
    else console.error(`${why.isSilence ? why.words : `No answer (${why.words}).`} Trying again.`);
  },
};

/** @param access without a key for calls that need none */
export function openClient(
  { url, apiKey }: Pick<Access, 'url'> & Partial<Access>,
  patience: Patience = SHORT,
): Recordwatch {
  const { maxRetries, timeoutMs, onOutage } = patience;
  return new Recordwatch({
    baseUrl: url,
    apiKey,
    maxRetries,
    timeoutMs,
    parseJson: parseExactly,
    fetch: tellingOutages(onOutage),
  });
}

const SERVER_ERROR = 500;

/** A page of another server, such as a proxy's: the service answers with JSON, or with a file. */
function isForeignPage({ ok, headers }: Response): boolean {
  const type = headers.get('content-type') ?? '';
  return !type.includes('json') && (!ok || type.includes('html'));
}

function tellingOutages(onOutage: Patience['onOutage']): typeof fetch {
  let isAway = false;
  // Until it has, its address may be wrong, and nothing is tried again.
  let hasAnswered = false;
  const outageOf = (answer: Response): Outage | undefined => {
    const { status } = answer;
    if (status >= SERVER_ERROR) return { words: `status ${status}`, isSilence: false };
    if (!isForeignPage(answer)) hasAnswered = true;
    else if (hasAnswered) return { words: `another server’s page, status ${status}`, isSilence: false };
    return undefined;
  };
  const note = (why: Outage | undefined): void => {
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
      note(outageOf(answer));
      return answer;
    } catch (error) {
      // Otherwise the user has ended it.
      const isSilence = init?.signal?.reason instanceof ConnectionError;
      if (isSilence || init?.signal?.aborted !== true) note({ words: reasonOf(error), isSilence });
      throw error;
    }
  };
}
