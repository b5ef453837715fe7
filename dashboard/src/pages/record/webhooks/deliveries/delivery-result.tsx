// The result of a delivery's latest attempt.
import { Alert, Stack, Text } from '@mantine/core';
import { formatDuration } from '../../../../parts/figures/quantities.ts';
import { AnswerText } from './answer-text.tsx';
import { type Delivery, wordsOf } from '../webhook-model.ts';

interface Props {
  delivery: Delivery;
  /** True if the endpoint's answer is shown elsewhere. */
  isBrief?: boolean;
}

export function DeliveryResult({ delivery, isBrief = false }: Props) {
  const attempt = delivery.attempts.at(-1);
  if (attempt === undefined) {
    return (
      <Alert color="gray" variant="light" title="Waiting for the first attempt">
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
