// What Temporal keeps of an activity's error: its kind. The message may contain rows, URLs or statements with their values,
// and everyone who may read workflow histories would see it. The worker's log has the whole error, scrubbed.
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { kindsOf, typeOf } from '../core/error-kinds.ts';

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
