// One change of a row: when, in which event, and its values before and after.
import '../../../parts/figures/data-colors.css';
import { Anchor, Badge, Group, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { components } from '../../../client/schema.ts';
import { nameOfColumn } from '../../../parts/record/column-name.ts';
import { CHANGE_SIGNS } from '../../../parts/figures/change-sign.ts';
import { valueAt } from '../../../parts/row-table/exact-json.ts';
import { PairedMark } from '../../../parts/figures/paired-mark.tsx';
import { AtSecond } from '../../../parts/figures/time.tsx';
import { CHANGE_COLORS } from '../../../theme.ts';
import changeClasses from './delta-cell.module.css';
import { useRecordPath } from '../../../parts/record/record-ref.ts';
import classes from './row-drawer.module.css';
import { RowValues, WholeValue } from './row-values.tsx';

type Entry = components['schemas']['RowHistoryEntry'];

export function HistoryEntry({ entry }: { entry: Entry }) {
  const path = useRecordPath();
  const { changeType, changedFields, before, after } = entry;
  return (
    <li>
      <Group gap="xs" mb={4}>
        <Badge color={CHANGE_COLORS[changeType]} variant="light" tt="none">
          {CHANGE_SIGNS[changeType]} {changeType}
        </Badge>
        {entry.pairedBy !== undefined && <PairedMark />}
        <Anchor component={Link} size="sm" to={`${path}/changes/${encodeURIComponent(entry.deltaEventId)}`}>
          <AtSecond at={entry.detectedAt} />
        </Anchor>
      </Group>
      {changeType === 'changed' ? (
        <dl className={classes['values']}>
          {changedFields.map((column) => (
            <div key={column}>
              <dt>{nameOfColumn(column)}</dt>
              <dd>
                <del className={changeClasses['before']}>
                  <VisuallyHidden>before: </VisuallyHidden>
                  <WholeValue value={valueAt(before, column)} />
                </del>
                <ins className={changeClasses['after']}>
                  <VisuallyHidden>after: </VisuallyHidden>
                  <WholeValue value={valueAt(after, column)} />
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <details className={classes['more']}>
          <summary>Values at that time</summary>
          <RowValues row={after ?? before ?? {}} />
        </details>
      )}
    </li>
  );
}
