// The attempts of a delivery, newest first: when, how long, and the answer.
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { formatCount } from '../../../../parts/figures/change-count.tsx';
import { formatDuration } from '../../../../parts/figures/quantities.ts';
import { At } from '../../../../parts/figures/time.tsx';
import { AnswerText } from './answer-text.tsx';
import { timestampOf, wasSent } from './request-texts.ts';
import { type Attempt, type Delivery, wordsOf } from '../webhook-model.ts';

export const Attempts = ({ delivery: { attempts, attemptCount } }: { delivery: Delivery }) => (
  <Stack gap="sm">
    <Title order={3}>
      {attemptCount === 0 ? 'No attempts yet' : `Attempts (${formatCount(attemptCount)})`}
    </Title>
    <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {attempts.toReversed().map((attempt) => (
        <OneAttempt key={attempt.number} attempt={attempt} />
      ))}
    </Stack>
    {attempts.length < attemptCount && (
      <Text size="sm" c="dimmed">
        The last {attempts.length} are shown.
      </Text>
    )}
  </Stack>
);

function OneAttempt({ attempt }: { attempt: Attempt }) {
  const { number, startedAt, durationMs, statusCode, errorCode, response } = attempt;
  const isGood = errorCode === null;
  const Icon = isGood ? IconCircleCheck : IconCircleX;
  const color = `var(--mantine-color-${isGood ? 'teal' : 'red'}-text)`;
  return (
    <Paper component="li" withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap={8}>
            <Icon size={18} color={color} aria-hidden />
            <Text size="sm" fw={600}>
              Attempt {number}: {statusCode ?? 'no answer'}
            </Text>
            {errorCode !== null && (
              <Text size="sm" ff="monospace">
                {errorCode}
              </Text>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            <At at={startedAt} />, {formatDuration(durationMs)}
          </Text>
        </Group>
        {!isGood && <Text size="sm">{wordsOf(attempt)}</Text>}
        {wasSent(attempt) && (
          <Text size="xs" c="dimmed" ff="monospace">
            webhook-timestamp: {timestampOf(attempt)}
          </Text>
        )}
        <AnswerText response={response} />
      </Stack>
    </Paper>
  );
}
