// Passes the trace of the latest message to the activities that follow from it. Workflows only carry the header: whether and how
// it is used is decided outside, so that a replay is the same with and without traces.
import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { TRACE_HEADER } from '../core/trace-header.ts';

/** A poll continues for months, so what follows from it belongs to the traces of its attempts. */
const POLL = 'pollSource';

/** The SDK looks for this name. */
export const interceptors = (): WorkflowInterceptors => {
  let trace: Headers[string] | undefined;
  const note = (headers: Headers): void => {
    trace = headers[TRACE_HEADER];
  };
  return {
    inbound: [
      {
        execute: (input, next) => {
          note(input.headers);
          return next(input);
        },
        handleSignal: (input, next) => {
          note(input.headers);
          return next(input);
        },
        handleUpdate: (input, next) => {
          note(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => {
          if (trace === undefined) return next(input);
          const headers = { ...input.headers, [TRACE_HEADER]: trace };
          if (input.activityType === POLL) trace = undefined;
          return next({ ...input, headers });
        },
      },
    ],
  };
};
