// The client of a service: calls of its HTTP API with the user's key.
import { apiErrorOf, ConnectionError, isForeign } from '../../../clients/typescript/src/errors.ts';
import { isAnswer } from '../../../clients/typescript/src/http/is-answer.ts';
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
  /** Whether the service has answered another client already. */
  hasAnswered?: boolean;
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
  const { maxRetries, timeoutMs, onOutage, hasAnswered = false } = patience;
  return new Recordwatch({
    baseUrl: url,
    apiKey,
    maxRetries,
    timeoutMs,
    parseJson: parseExactly,
    fetch: tellingOutages(onOutage, hasAnswered),
  });
}

const SERVER_ERROR = 500;
const NO_CONTENT = 204;

/** Whether the service answered, and no other server, such as a proxy. The client decides likewise. */
async function isOfService(answer: Response): Promise<boolean> {
  const { ok, status, headers } = answer;
  if (!ok) return !isForeign(apiErrorOf(status, await answer.clone().text()));
  // The service names each file. It is not read here.
  if (status === NO_CONTENT || headers.has('content-disposition')) return true;
  if (headers.get('content-type')?.includes('json') !== true) return false;
  return isAnswer(readJson(await answer.clone().text()));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param hadAnswered until the service has answered, its address may be wrong, and nothing is tried again */
function tellingOutages(onOutage: Patience['onOutage'], hadAnswered: boolean): typeof fetch {
  let isAway = false;
  let hasAnswered = hadAnswered;
  const note = (why: Outage | undefined): void => {
    if (isAway === (why !== undefined)) return;
    isAway = why !== undefined;
    onOutage(why);
  };
  const noteAnswer = async (answer: Response): Promise<void> => {
    const { status } = answer;
    if (status >= SERVER_ERROR) return note({ words: `status ${status}`, isSilence: false });
    if (await isOfService(answer)) {
      hasAnswered = true;
      note(undefined);
    } else if (hasAnswered) {
      note({ words: `another server’s answer, status ${status}`, isSilence: false });
    }
  };
  return async (url, init) => {
    const headers = {
      ...(init?.headers as Record<string, string>),
      'user-agent': `recordwatch/${programVersion()}`,
    };
    try {
      const answer = await fetch(url, { ...init, headers });
      await noteAnswer(answer);
      return answer;
    } catch (error) {
      // Otherwise the user has ended it.
      const isSilence = init?.signal?.reason instanceof ConnectionError;
      if (isSilence || init?.signal?.aborted !== true) note({ words: reasonOf(error), isSilence });
      throw error;
    }
  };
}
