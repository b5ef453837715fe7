// What Temporal keeps of an activity's error: its kind. The message may contain rows, URLs or statements with their values,
// and everyone who may read workflow histories would see it. The worker's log has the whole error, scrubbed.
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';

/** Causes of causes that are named. */
const MAX_CAUSES = 8;

export const keepKindsOnly = (context: Context): ActivityInterceptors => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        // Failures are made for Temporal. The SDK must recognise what a cancelled activity throws.
        if (error instanceof TemporalFailure || isOfCancelling(error, context)) throw error;
        context.log.warn('an activity failed', { error });
        throw ApplicationFailure.create({ message: kindsOf(error), type: typeOf(error) });
      }
    },
  },
});

const isOfCancelling = (error: unknown, { cancellationSignal }: Context): boolean =>
  cancellationSignal.aborted && error instanceof Error && error.name === 'AbortError';

const typeOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : typeof error);

/** The classes of an error and its causes, with their codes. */
function kindsOf(error: unknown): string {
  const kinds: string[] = [];
  for (let at = error; at !== undefined && kinds.length < MAX_CAUSES; at = causeOf(at)) {
    const code = codeOf(at);
    kinds.push(code === undefined ? typeOf(at) : `${typeOf(at)} (${code})`);
  }
  return `${kinds.join(', caused by ')}. The worker’s log says more.`;
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** A code in the form of PostgreSQL's, Node's and our own. Any other text might be data. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^\w{1,40}$/.test(code) ? code : undefined;
}
