// Chooses a snapshot: a version of the data.
import { Loader, Select } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../parts/change-count.tsx';
import { formatTime } from './format-time.ts';
import { type Snapshot, useSnapshot, useSnapshots } from './use-snapshot.ts';

interface Props {
  label: string;
  /** An id, or `latest`. */
  value: string;
  onChange: (reference: string) => void;
}

const LATEST = 'latest';
const OLDER = 'older';

export function SnapshotSelect({ label, value, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { snapshots, hasNextPage, isFetching, fetchNextPage } = useSnapshots(isOpen);
  const { data: chosen } = useSnapshot(value);
  const listed = snapshots.map((snapshot) => ({ value: snapshot.id, label: wordsOf(snapshot) }));
  const isListed = value === LATEST || snapshots.some(({ id }) => id === value);
  const data = [
    {
      value: LATEST,
      label: value === LATEST && chosen !== undefined ? `Latest: ${wordsOf(chosen)}` : 'Latest',
    },
    ...(isListed ? [] : [{ value, label: chosen === undefined ? value : wordsOf(chosen) }]),
    ...listed,
    ...(hasNextPage ? [{ value: OLDER, label: 'Show older snapshots…' }] : []),
  ];
  return (
    <Select
      label={label}
      data={data}
      value={value}
      allowDeselect={false}
      onChange={(reference) => {
        if (reference === OLDER) void fetchNextPage();
        else if (reference !== null) onChange(reference);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onOptionSubmit={(option) => {
        // The list stays open to show them.
        if (option === OLDER) queueMicrotask(() => setIsOpen(true));
      }}
      rightSection={isOpen && isFetching ? <Loader size="xs" aria-label="Loading snapshots" /> : undefined}
      comboboxProps={{ withinPortal: true }}
      maxDropdownHeight={320}
      w={{ base: '100%', sm: 470 }}
    />
  );
}

const wordsOf = ({ sequence, createdAt, totalRows }: Snapshot): string =>
  `Snapshot ${formatCount(sequence)} · ${formatTime(createdAt)} · ${formatCount(totalRows)} rows`;
