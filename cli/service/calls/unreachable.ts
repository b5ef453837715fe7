// A service that gives no answer, in words.
import type { ConnectionError } from '../../../clients/typescript/src/errors.ts';
import { ServiceFault } from './service-fault.ts';

export const unreachable = (url: string, error: ConnectionError): ServiceFault =>
  new ServiceFault(`${url} does not answer: ${reasonOf(error)}`, {
    code: error.code,
    advice: 'Check that the address is right and the service runs.',
  });

/** What the system said: fetch hides it. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // Several addresses of a name fail as one error, which has no words.
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  return first instanceof Error ? first.message || first.name : String(first);
}
