// One check in the list of checks.
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { CheckOutcome } from '../../../parts/record/check-outcome.tsx';
import { formatBytes, formatDuration } from '../../../parts/figures/quantities.ts';
import { AtSecond } from '../../../parts/figures/time.tsx';
import classes from './check-row.module.css';
import {
  type Check,
  DECISIONS,
  durationMsOf,
  firstSnapshotWords,
  TRIGGERS,
  WARNING_TITLES,
} from './check-words.ts';

interface Props {
  check: Check;
  path: string;
}

export function CheckRow({ check, path }: Props) {
  const durationMs = durationMsOf(check);
  const number = check.number === null ? '–' : formatCount(check.number);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Anchor
          component={Link}
          to={`${path}/checks/${check.id}`}
          size="sm"
          className={classes['number']}
          aria-label={`Check ${number}`}
        >
          {number}
        </Anchor>
      </Table.Th>
      <Table.Td className={classes['number']}>
        {check.startedAt === null ? 'Now' : <AtSecond at={check.startedAt} />}
      </Table.Td>
      <Table.Td>
        <CheckOutcome outcome={check.outcome} isFirstSnapshot={check.isBaseline} />
      </Table.Td>
      <Table.Td>{check.httpStatus ?? '–'}</Table.Td>
      <Table.Td>{TRIGGERS[check.trigger]}</Table.Td>
      <Table.Td ta="right" className={classes['number']}>
        {durationMs === undefined ? '–' : formatDuration(durationMs)}
      </Table.Td>
      <Table.Td ta="right" className={classes['number']}>
        {check.bytes === null ? '–' : formatBytes(check.bytes)}
      </Table.Td>
      <Table.Td ta="right" className={classes['number']}>
        {check.rows === null ? '–' : formatCount(check.rows)}
      </Table.Td>
      <Table.Td>
        <Notes check={check} />
      </Table.Td>
    </Table.Tr>
  );
}

function Notes({ check: { error, rows, warnings, decision, isBaseline } }: Omit<Props, 'path'>) {
  const titles = warnings.map(({ code, count }) => `${WARNING_TITLES[code] ?? code} (${formatCount(count)})`);
  const first = isBaseline && rows !== null ? [firstSnapshotWords(rows)] : [];
  const words = [...first, ...(decision === null ? [] : [DECISIONS[decision]]), ...titles];
  return (
    <>
      {error !== null && (
        <Text size="sm" lineClamp={1} title={error.detail}>
          {error.detail}
        </Text>
      )}
      {words.length > 0 && (
        <Text size="sm" c="dimmed">
          {words.join(', ')}
        </Text>
      )}
    </>
  );
}
