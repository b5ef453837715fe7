// Several checks in a row that found nothing, as one line of the list of checks that opens.
import { Button, Table } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { formatDuration } from '../../../parts/figures/quantities.ts';
import { AtSecond } from '../../../parts/figures/time.tsx';
import { CheckOutcome } from '../../../parts/record/check-outcome.tsx';
import classes from './check-row.module.css';
import { CheckRow } from './check-row.tsx';
import type { CheckLine } from './check-runs.ts';
import { durationMsOf, TRIGGERS } from './check-words.ts';

interface Props {
  /** Newest first. */
  checks: CheckLine;
  path: string;
}

export function CheckRun({ checks, path }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [newest] = checks;
  const oldest = checks.at(-1) ?? newest;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const numbers = `${formatCount(oldest.number ?? 0)}–${formatCount(newest.number ?? 0)}`;
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row" fw={400}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            ml={-8}
            leftSection={<Chevron size={14} aria-hidden />}
            aria-expanded={isOpen}
            aria-label={`${numbers}: ${checks.length} unchanged checks`}
            onClick={() => setOpen(!isOpen)}
          >
            {numbers}
          </Button>
        </Table.Th>
        <Table.Td className={classes['number']}>
          {newest.startedAt !== null && <AtSecond at={newest.startedAt} />}
          {oldest.startedAt !== null && (
            <div>
              back to <AtSecond at={oldest.startedAt} />
            </div>
          )}
        </Table.Td>
        <Table.Td>
          <CheckOutcome outcome="unchanged" />
        </Table.Td>
        <Table.Td>{told(checks.map(({ httpStatus }) => httpStatus ?? '–'))}</Table.Td>
        <Table.Td>{told(checks.map(({ trigger }) => TRIGGERS[trigger]))}</Table.Td>
        <Table.Td ta="right" className={classes['number']}>
          {durationWords(checks)}
        </Table.Td>
        <Table.Td />
        <Table.Td ta="right" className={classes['number']}>
          {newest.rows === null ? '–' : formatCount(newest.rows)}
        </Table.Td>
        <Table.Td>{`${formatCount(checks.length)} checks`}</Table.Td>
      </Table.Tr>
      {isOpen && checks.map((check) => <CheckRow key={check.id} check={check} path={path} />)}
    </>
  );
}

/** Each of them once. */
const told = (words: readonly (string | number)[]): string => [...new Set(words)].join(', ');

/** `80 ms to 1.2 s` */
function durationWords(checks: CheckLine): string {
  const durations = checks.map((check) => durationMsOf(check) ?? 0);
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)].map(formatDuration);
  return shortest === longest ? (shortest ?? '') : `${shortest} to ${longest}`;
}
