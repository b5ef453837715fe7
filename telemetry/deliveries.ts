// Metrics of delivery attempts.
import type { AttemptErrorCode } from '../core/errors.ts';
import type { DeliveryStatus } from '../core/deliveries.ts';
import { durations } from './instruments.ts';

const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const attempts = durations(
  'recordwatch.delivery.attempt.duration',
  'Delivery attempts by result, and how long the endpoint took.',
  ATTEMPT_SECONDS,
);

const RESULTS = {
  delivered: 'delivered',
  pending: 'retry',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

/** @param attempt as it was recorded; `pending` means that another attempt follows */
export function measureAttempt(attempt: {
  status: DeliveryStatus;
  durationMs: number;
  errorCode: AttemptErrorCode | null;
}): void {
  const result = RESULTS[attempt.status];
  attempts(
    attempt.durationMs,
    attempt.errorCode === null ? { result } : { result, 'error.type': attempt.errorCode },
  );
}
