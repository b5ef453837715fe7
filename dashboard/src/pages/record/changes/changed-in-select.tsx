// Chooses a column: only rows that changed in it are shown.
import { useState } from 'react';
import { ListSelect } from '../../../parts/controls/list-select.tsx';
import { columnOption } from '../../../parts/record/column-name.ts';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { useSnapshot } from '../rows/use-snapshot.ts';

interface Props {
  snapshotId: string;
  /** Columns in which loaded rows changed. */
  changed: readonly string[];
}

export function ChangedInSelect({ snapshotId, changed }: Props) {
  const [params, change] = useUrlState();
  const [isOpened, setOpened] = useState(false);
  // The other columns are loaded when the user opens the list.
  const { data: snapshot } = useSnapshot(snapshotId, isOpened);
  const column = params.get('column');
  const seen = [...new Set([...changed, ...(column === null ? [] : [column])])];
  const others = snapshot?.columns.filter((each) => !seen.includes(each)) ?? [];
  const groups = [
    { group: 'Changed in the rows loaded', items: seen.map(columnOption) },
    { group: 'Other columns', items: others.map(columnOption) },
  ];
  return (
    <ListSelect
      aria-label="Only rows that changed in"
      placeholder="Changed in any column"
      data={groups.filter(({ items }) => items.length > 0)}
      value={column}
      onChange={(value) => change({ column: value })}
      onDropdownOpen={() => setOpened(true)}
      clearable
      searchable
      limit={200}
      w={{ base: '100%', xs: 220 }}
    />
  );
}
