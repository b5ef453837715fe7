// One check: its outcome, its warnings, and what a held check would change.
import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useApiQueries } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { BackLink } from '../../../parts/controls/back-link.tsx';
import { adviceOn } from '../../../parts/record/check-advice.ts';
import { CheckOutcome } from '../../../parts/record/check-outcome.tsx';
import { Fact, Facts } from '../../../parts/blocks/facts.tsx';
import { OriginAnswer } from '../../../parts/blocks/origin-answer.tsx';
import { OperatorLink } from '../../../parts/controls/operator-link.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { formatBytes, formatDuration } from '../../../parts/figures/quantities.ts';
import { Section } from '../../../parts/blocks/section.tsx';
import { TextLink } from '../../../parts/controls/text-link.tsx';
import { AtSecond } from '../../../parts/figures/time.tsx';
import { useRecordPath, useRecordRef } from '../../../parts/record/record-ref.ts';
import { type Check, durationMsOf, firstSnapshotWords, TRIGGERS } from './check-words.ts';
import { HeldCheck } from './held-check.tsx';
import { WarningList } from './warnings.tsx';

export function Component() {
  const id = useRecordRef();
  const path = useRecordPath();
  const checkId = useParams()['checkId'] ?? '';
  const { queryOptions } = useApiQueries();
  const { data, error } = useQuery(
    queryOptions('get', '/v1/sources/{id}/checks/{checkId}', { params: { path: { id, checkId } } }),
  );
  return (
    <Stack gap="lg">
      <BackLink to={`${path}/checks`}>All checks</BackLink>
      <ProblemNote error={error} title="Could not load this check" advice={ADVICE} />
      {data === undefined ? error === null && <Skeleton h={240} /> : <Shown check={data} />}
    </Stack>
  );
}

const ADVICE = { not_found: 'There is no such check: it is still running, or too old to be kept.' };

function Shown({ check }: { check: components['schemas']['CheckDetail'] }) {
  const { error, warnings, outcome, isBaseline, originAnswer } = check;
  return (
    <Stack gap="xl">
      <Section
        title={check.number === null ? 'Check' : `Check ${formatCount(check.number)}`}
        actions={
          <Group gap="xs">
            <CheckOutcome outcome={outcome} isFirstSnapshot={isBaseline} />
            <OperatorLink workflowId={`record/${check.sourceId}`} what="this check" />
          </Group>
        }
      >
        {error !== null && (
          <Alert
            color={outcome === 'held' ? 'yellow' : 'red'}
            variant="light"
            title={error.detail}
            role="note"
          >
            <Text size="sm">{adviceOn(error)}</Text>
          </Alert>
        )}
        {originAnswer !== null && <OriginAnswer answer={originAnswer} />}
        {isBaseline && check.rows !== null && <Text size="sm">{firstSnapshotWords(check.rows)}.</Text>}
        <CheckFacts check={check} isTold={originAnswer !== null} />
      </Section>
      {outcome === 'held' && <HeldCheck check={check} />}
      {warnings.length > 0 && (
        <Section title="Warnings" description="Something odd in the data that did not stop the check.">
          <WarningList warnings={warnings} />
        </Section>
      )}
    </Stack>
  );
}

/** @param isTold whether the answer is described above */
function CheckFacts({ check, isTold }: { check: Check; isTold: boolean }) {
  const path = useRecordPath();
  const durationMs = durationMsOf(check);
  const { startedAt, httpStatus, bytes, rows, deltaEventId } = check;
  return (
    <Facts>
      {startedAt !== null && (
        <Fact name="Started">
          <AtSecond at={startedAt} />
        </Fact>
      )}
      {durationMs !== undefined && <Fact name="Duration">{formatDuration(durationMs)}</Fact>}
      <Fact name="Reason">{TRIGGERS[check.trigger]}</Fact>
      {httpStatus !== null && !isTold && <Fact name="The origin answered">{`HTTP ${httpStatus}`}</Fact>}
      {bytes !== null && <Fact name="Size">{formatBytes(bytes)}</Fact>}
      {rows !== null && <Fact name="Rows">{formatCount(rows)}</Fact>}
      {deltaEventId !== null && (
        <Fact name="Event">
          <TextLink to={`${path}/changes/${deltaEventId}`}>See the event</TextLink>
        </Fact>
      )}
    </Facts>
  );
}
