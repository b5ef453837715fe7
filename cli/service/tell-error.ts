// Tells on standard error why a command for a service failed: the words and the code of the API, each fault, and what to do.
import {
  ApiError,
  ConnectionError,
  FeedGoneError,
  RecordwatchError,
} from '../../clients/typescript/src/errors.ts';
import { safeText } from '../../core/text/safe-text.ts';
import { findConnection } from './access/connection.ts';
import { adviceFor, exitCodeOf } from './calls/advice.ts';
import { reasonOf } from './calls/open-client.ts';
import { ServiceFault } from './calls/service-fault.ts';

/** @returns the exit code; undefined for an error that is not about a service, which is not told */
export function tellError(error: unknown): number | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  const { message, code, faults, advice, exitCode } = fault;
  const firstLine = `recordwatch: ${safeText(message)}${code === undefined ? '' : ` (${safeText(code)})`}`;
  const lines = [firstLine, ...faults.map((each) => `  ${safeText(each)}`)];
  if (advice !== undefined) lines.push(`  ${safeText(advice)}`);
  console.error(lines.join('\n'));
  return exitCode;
}

function faultOf(error: unknown): ServiceFault | undefined {
  if (error instanceof ServiceFault) return error;
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
  if (error instanceof ApiError) return refusal(error);
  if (error instanceof ConnectionError) {
    const advice = 'Look whether the address is right and the service runs.';
    return new ServiceFault(`${serviceUrl()} does not answer: ${reasonOf(error)}`, {
      code: error.code,
      advice,
    });
  }
  return error instanceof RecordwatchError ? new ServiceFault(error.message) : undefined;
}

function refusal(error: ApiError): ServiceFault {
  const { code, errors, status } = error;
  return new ServiceFault(error.message, {
    code,
    // One fault is what the message says.
    faults: errors.length < 2 ? [] : errors.map(({ pointer, detail }) => `${pointer} ${detail}`),
    advice: adviceFor(error) ?? `More about it: ${serviceUrl()}/docs/errors#${code}`,
    exitCode: exitCodeOf(status),
  });
}

/** `login` has another one, which its user has just named. */
function serviceUrl(): string {
  try {
    return findConnection().url;
  } catch {
    return 'The service';
  }
}
