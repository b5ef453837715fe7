// Tells on standard error why a command for a service failed: the words and the code of the API, each fault, and what to do.
import {
  ApiError,
  ConnectionError,
  FeedGoneError,
  RecordwatchError,
  UnreadableAnswerError,
} from '../../clients/typescript/src/errors.ts';
import { safeText } from '../../core/text/safe-text.ts';
import { InputFault } from '../input/input-fault.ts';
import { EXIT } from '../operator/fail.ts';
import { type Connection, findConnection } from './access/connection.ts';
import { adviceFor, exitCodeOf } from './calls/advice.ts';
import { inOptions } from './calls/in-options.ts';
import { ServiceFault } from './calls/service-fault.ts';
import { unreachable } from './calls/unreachable.ts';

/**
 * @param args what the user has typed
 * @returns the exit code; undefined for an error that is not about a service, which is not told
 */
export function tellError(error: unknown, args: readonly string[]): number | undefined {
  const fault = faultOf(error, args);
  if (fault === undefined) return undefined;
  const { message, code, faults, advice, exitCode } = fault;
  const firstLine = `recordwatch: ${safeText(message)}${code === undefined ? '' : ` (${safeText(code)})`}`;
  const lines = [firstLine, ...faults.map((each) => `  ${safeText(each)}`)];
  if (advice !== undefined) lines.push(`  ${safeText(advice)}`);
  console.error(lines.join('\n'));
  return exitCode;
}

function faultOf(error: unknown, args: readonly string[]): ServiceFault | undefined {
  if (error instanceof ServiceFault) return error;
  if (error instanceof InputFault) return new ServiceFault(error.message, { exitCode: EXIT.misuse });
  if (error instanceof FeedGoneError) {
    return new ServiceFault(
      'The feed cannot continue after this cursor: what follows it is no longer there.',
      {
        code: error.code,
        advice: 'Begin with --since start or --since now, and look at the latest rows.',
        exitCode: exitCodeOf(error.status),
      },
    );
  }
  if (error instanceof ApiError) return refusal(error, args);
  if (error instanceof ConnectionError) return unreachable(serviceUrl(), error);
  if (error instanceof UnreadableAnswerError) {
    const { message } = new UnreadableAnswerError(error.baseUrl ?? connection()?.url);
    return new ServiceFault(message, { code: error.code });
  }
  if (!(error instanceof RecordwatchError)) return undefined;
  // The client refuses what it cannot write into a request, such as an empty id.
  const isMisuse = error.name === 'RecordwatchError';
  return new ServiceFault(error.message, isMisuse ? { exitCode: EXIT.misuse } : {});
}

function refusal(error: ApiError, args: readonly string[]): ServiceFault {
  const { code, status } = error;
  const { message, faults } = inOptions(error, args);
  const advice = adviceFor(error, { args, keyFrom: connection()?.keyFrom });
  return new ServiceFault(message, {
    code,
    // One fault is what the message says.
    faults: faults.length < 2 ? [] : faults,
    advice: advice ?? `More about it: ${serviceUrl()}/docs/errors#${code}`,
    exitCode: exitCodeOf(status),
  });
}

/** `login` has another one, which its user has just named. */
const serviceUrl = (): string => connection()?.url ?? 'The service';

function connection(): Connection | undefined {
  try {
    return findConnection();
  } catch {
    return undefined;
  }
}
