// Chooses a snapshot.
import { Loader } from '@mantine/core';
import { useState } from 'react';
import { ListSelect } from '../../../parts/controls/list-select.tsx';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { type Snapshot, useSnapshot, useSnapshots } from '../rows/use-snapshot.ts';

interface Props {
  label: string;
  /** An id, or `latest`; null until it is known which. */
  value: string | null;
  /** The snapshot that `latest` was when the page read it. */
  latestId?: string | undefined;
  /** False: the chosen snapshot is not requested yet. */
  isReady?: boolean;
  onChange: (reference: string) => void;
}

const LATEST = 'latest';
const OLDER = 'older';

export function SnapshotSelect({ label, value, latestId, isReady = true, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { snapshots, hasNextPage, isFetching, fetchNextPage } = useSnapshots(isOpen);
  const { data: chosen, error } = useSnapshot(
    value === LATEST ? (latestId ?? LATEST) : (value ?? LATEST),
    isReady && value !== null,
  );
  const listed = snapshots.map((snapshot) => ({ value: snapshot.id, label: wordsOf(snapshot) }));
  const isListed = value === null || value === LATEST || snapshots.some(({ id }) => id === value);
  const words = chosen === undefined ? (error === null ? 'Snapshot …' : (value ?? '')) : wordsOf(chosen);
  const data = [
    {
      value: LATEST,
      label: value === LATEST && chosen !== undefined ? `Latest: ${words}` : 'Latest',
    },
    ...(isListed ? [] : [{ value, label: words }]),
    ...listed,
    ...(hasNextPage ? [{ value: OLDER, label: 'Show older snapshots…' }] : []),
  ];
  return (
    <ListSelect
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
  `Snapshot ${formatCount(sequence)} · ${formatTime(createdAt)} · ${counted(totalRows, 'row')}`;

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time as plain text, for options, which take no element. @param at ISO 8601 */
const formatTime = (at: string): string => absolute.format(new Date(at));
