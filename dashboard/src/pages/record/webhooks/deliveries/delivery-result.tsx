// The result of an attempt of a delivery that somebody has asked for.
import { Alert, Stack, Text } from '@mantine/core';
import { formatDuration } from '../../../../parts/figures/quantities.ts';
import { AnswerText } from './answer-text.tsx';
import { type Delivery, wordsOf } from '../webhook-model.ts';

interface Props {
  delivery: Delivery;
  /** The number of attempts when it was asked for. The result is that of the last one since then. */
  attemptsBefore?: number;
  /** True if the endpoint's answer is shown elsewhere. */
  isBrief?: boolean;
}

export function DeliveryResult({ delivery, attemptsBefore = 0, isBrief = false }: Props) {
  const attempt = delivery.attempts.findLast(({ number }) => number > attemptsBefore);
  if (attempt === undefined) {
    return (
      <Alert color="gray" variant="light" title="Waiting for the attempt">
        The list of attempts will show the result.
      </Alert>
    );
  }
  const { statusCode, durationMs, errorCode, response } = attempt;
  const isGood = errorCode === null;
  const answer = statusCode === null ? 'No answer' : `The endpoint answered ${statusCode}`;
  return (
    <Alert color={isGood ? 'teal' : 'red'} variant="light" title={isGood ? 'Delivered' : 'Not delivered'}>
      <Stack gap="xs">
        <Text size="sm">
          {answer} after {formatDuration(durationMs)}. {wordsOf(attempt)}
        </Text>
        {!isBrief && <AnswerText response={response} />}
      </Stack>
    </Alert>
  );
}
