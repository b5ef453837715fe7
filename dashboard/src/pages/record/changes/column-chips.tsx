// The columns in which rows changed: each shows its rows alone, or is ignored from now on.
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { components } from '../../../client/schema.ts';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { nameOfColumn } from '../../../parts/record/column-name.ts';
import { useRecordPath } from '../../../parts/record/record-ref.ts';
import { useUrlState } from '../../../parts/state/use-url-state.ts';

type ChangedColumn = components['schemas']['ChangedColumn'];

/** Further columns are shown on request. */
const SHOWN = 6;

export function ColumnChips({ columns }: { columns: readonly ChangedColumn[] }) {
  const [isWhole, setWhole] = useState(false);
  if (columns.length === 0) return null;
  const shown = isWhole ? columns : columns.slice(0, SHOWN);
  return (
    <Group component="section" gap={6} aria-label="Columns that changed">
      <Text size="sm" c="dimmed">
        Changed in
      </Text>
      {shown.map((column) => (
        <ColumnChip key={column.field} column={column} />
      ))}
      {shown.length < columns.length && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setWhole(true)}>
          {columns.length - shown.length} more
        </Button>
      )}
    </Group>
  );
}

function ColumnChip({ column: { field, rows } }: { column: ChangedColumn }) {
  const path = useRecordPath();
  const [params, change] = useUrlState();
  const isOnly = params.get('column') === field;
  const name = nameOfColumn(field);
  return (
    <Button.Group>
      <Button
        size="compact-sm"
        variant={isOnly ? 'filled' : 'light'}
        color="yellow"
        aria-pressed={isOnly}
        aria-label={`${name}: ${counted(rows, 'row')}`}
        onClick={() => change({ column: isOnly ? null : field })}
      >
        {name} {formatCount(rows)}
      </Button>
      <ActionIcon
        component={Link}
        to={`${path}/settings?${new URLSearchParams({ ignore: field })}`}
        size={26}
        variant="light"
        color="yellow"
        aria-label={`Ignore this column: ${name}`}
        title="Ignore this column"
      >
        <IconEyeOff size={14} aria-hidden />
      </ActionIcon>
    </Button.Group>
  );
}
