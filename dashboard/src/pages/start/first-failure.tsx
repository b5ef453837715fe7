// Shown if a record's first check failed: what happened, and what to do.
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { adviceOn } from '../../parts/record/check-advice.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { OriginAnswer } from '../../parts/blocks/origin-answer.tsx';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import { type RepairKind, repairOf } from './first-failure-kind.ts';
import { RepairCredentials, RepairFormat } from './repair-forms.tsx';
import { useRepair } from './use-repair.ts';

interface Props {
  record: TrackedRecord;
  /** Called when the record has data. */
  onRepaired?: (record: TrackedRecord) => void;
  /** Other actions. */
  children?: ReactNode;
}

export function FirstFailure({ record, onRepaired, children }: Props) {
  const { lastError } = record;
  const { checkAgain, repair } = useRepair(record, onRepaired);
  const [isAsked, setAsked] = useState(false);
  if (lastError === null) return null;
  const kind = repairOf(lastError);
  const wantsCredentials = kind === 'credentials' || isAsked;
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby="first-failure">
      <Stack>
        <div role="alert">
          <Group gap="xs" wrap="nowrap" mb={4}>
            <IconAlertTriangle size={20} color="var(--mantine-color-red-6)" aria-hidden />
            <Title order={2} id="first-failure">
              {kind === 'credentials' ? 'This URL needs credentials' : 'Could not read data from this URL'}
            </Title>
          </Group>
          <Text style={{ overflowWrap: 'anywhere' }} size="sm" c="dimmed" ff="monospace">
            {record.url}
          </Text>
          <Text mt="sm">{lastError.detail}</Text>
          <Text c="dimmed">{adviceFor(lastError, kind)}</Text>
        </div>
        {record.originAnswer && <OriginAnswer answer={record.originAnswer} />}
        {wantsCredentials && <RepairCredentials record={record} repair={repair} />}
        {kind === 'format' && <RepairFormat record={record} repair={repair} />}
        <ProblemNote error={checkAgain.error} />
        <Group gap="xs">
          <Button
            variant={kind === 'none' && !isAsked ? 'filled' : 'default'}
            loading={checkAgain.isPending}
            onClick={() => checkAgain.mutate()}
          >
            Check again
          </Button>
          {!wantsCredentials && (
            <Button variant="default" onClick={() => setAsked(true)}>
              It needs credentials
            </Button>
          )}
          {children}
        </Group>
      </Stack>
    </Paper>
  );
}

function adviceFor(error: NonNullable<TrackedRecord['lastError']>, kind: RepairKind): string {
  if (kind === 'format')
    return 'If you know the format, set it here; otherwise the file has to be corrected.';
  if (kind === 'credentials') return 'The data is protected: enter the credentials that its origin asks for.';
  // An address that never had data is more likely wrong than moved.
  if (error.code === 'http_error' && /\b4(04|10)\b/.test(error.detail)) {
    return 'There is nothing at this address, or it needs credentials. Check its spelling.';
  }
  return adviceOn(error);
}
