// One check in the list of them.
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatCount } from '../../../parts/change-count.tsx';
import { CheckOutcome } from '../../../parts/check-outcome.tsx';
import { formatBytes, formatDuration } from '../../../parts/quantities.ts';
import { At } from '../../../parts/time.tsx';
import classes from './check-row.module.css';
import { type Check, durationMsOf, TRIGGERS, WARNING_TITLES } from './check-words.ts';

export function CheckRow({ check, path }: { check: Check; path: string }) {
  const durationMs = durationMsOf(check);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Anchor component={Link} to={`${path}/checks/${check.id}`} size="sm" className={classes['number']}>
          {check.startedAt === null ? 'Now' : <At at={check.startedAt} />}
        </Anchor>
      </Table.Th>
      <Table.Td>
        <CheckOutcome outcome={check.outcome} />
      </Table.Td>
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
        <Remarks check={check} />
      </Table.Td>
    </Table.Tr>
  );
}

function Remarks({ check: { error, warnings, decision } }: { check: Check }) {
  const titles = warnings.map(({ code, count }) => `${WARNING_TITLES[code] ?? code} (${formatCount(count)})`);
  const words = [...(decision === null ? [] : [`${decision} by a person`]), ...titles];
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
