// Carries traces through Temporal: from a client's call, by a header that workflows pass on, into activities.
import { SpanKind } from '@opentelemetry/api';
import type { Context } from '@temporalio/activity';
import type { ClientInterceptors, WorkflowClientInterceptor } from '@temporalio/client';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  defaultPayloadConverter,
  type Headers,
} from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { TRACE_HEADER } from '../core/trace-header.ts';
import { type Carrier, inSpan, traceCarrier } from './spans.ts';

/** For clients in processes with traces. */
export const tracedClient: ClientInterceptors = {
  workflow: [
    {
      start: (input, next) =>
        called('StartWorkflow', input.workflowType, input.options.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      signal: (input, next) =>
        called('SignalWorkflow', input.signalName, input.workflowExecution.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      signalWithStart: (input, next) =>
        called('SignalWithStartWorkflow', input.signalName, input.options.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      startUpdate: (input, next) =>
        called('UpdateWorkflow', input.updateName, input.workflowExecution.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      startUpdateWithStart: (input, next) =>
        called('UpdateWithStartWorkflow', input.updateName, input.workflowStartOptions.workflowId, () =>
          next({
            ...input,
            workflowStartHeaders: withTrace(input.workflowStartHeaders),
            updateHeaders: withTrace(input.updateHeaders),
          }),
        ),
    } satisfies WorkflowClientInterceptor,
  ],
};

const called = <T>(call: string, name: string, workflowId: string, work: () => Promise<T>): Promise<T> =>
  inSpan(
    `${call}:${name}`,
    { kind: SpanKind.CLIENT, attributes: { 'temporal.workflow.id': workflowId } },
    work,
  );

const withTrace = (headers: Headers): Headers => ({
  ...headers,
  [TRACE_HEADER]: defaultPayloadConverter.toPayload(traceCarrier()),
});

/** For workers with traces. An activity's first attempt continues the trace of what led to it; a poll's later ones only refer to it. */
export const traceActivities = ({ info }: Context): ActivityInterceptors => ({
  inbound: {
    execute: (input, next) => {
      const carrier = carrierOf(input.headers);
      const { activityType, attempt, workflowExecution } = info;
      return inSpan(
        `RunActivity:${activityType}`,
        {
          kind: SpanKind.CONSUMER,
          attributes: {
            'temporal.activity.type': activityType,
            'temporal.activity.attempt': attempt,
            ...(workflowExecution && {
              'temporal.workflow.id': workflowExecution.workflowId,
              'temporal.workflow.run_id': workflowExecution.runId,
            }),
            ...idsOf(input.args[0]),
          },
          ...(carrier && { carrier }),
          isLinked: attempt > 1 && activityType === POLL,
          isFault: (error) => !isExpected(error),
        },
        () => next(input),
      );
    },
  },
});

/** The activity whose attempts are the checks on schedule, for months. */
const POLL = 'pollSource';

function carrierOf(headers: Headers): Carrier | undefined {
  const payload = headers[TRACE_HEADER];
  // Ours, or that of another SDK, which has the same form.
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<Carrier>(payload);
}

function idsOf(input: unknown): Record<string, string> {
  if (typeof input !== 'object' || input === null) return {};
  const { recordId, checkId, deliveryId } = input as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries({
      'recordwatch.record.id': recordId,
      'recordwatch.check.id': checkId,
      'recordwatch.delivery.id': deliveryId,
    }).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A poll that found nothing new ends its attempt with a failure of this category. */
const isExpected = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN;
