// The keys of one owner: working keys, ended keys, and a form for a new one.
import { Button, Group, Skeleton, Switch } from '@mantine/core';
import { useState } from 'react';
import { Empty } from '../blocks/empty.tsx';
import { ProblemNote } from '../blocks/problem-note.tsx';
import { type KeyResource, stateOf, useKeyList } from './key-resource.ts';
import { KeyTable } from './key-table.tsx';

interface Props {
  resource: KeyResource;
  /** Says what this owner's keys are for. */
  whenNone: string;
  /** No key can be created, which the page says elsewhere. */
  isLocked: boolean;
}

export function ApiKeys({ resource, whenNone, isLocked }: Props) {
  const [showsEnded, setShowsEnded] = useState(false);
  const { data: keys, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useKeyList(resource);
  if (error !== null && keys === undefined)
    return <ProblemNote error={error} title="Could not load the keys" />;
  if (keys === undefined) return <Skeleton h={110} />;
  const shown = showsEnded ? keys : keys.filter((key) => stateOf(key) === 'works');
  return (
    <>
      {shown.length === 0 ? (
        // Older pages may have working keys.
        !isLocked && !hasNextPage && <Empty title="No API keys yet">{whenNone}</Empty>
      ) : (
        <KeyTable keys={shown} resource={resource} />
      )}
      <Group justify="space-between">
        <EndedSwitch
          count={keys.filter((key) => stateOf(key) !== 'works').length}
          isChecked={showsEnded}
          onChange={setShowsEnded}
        />
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older keys
          </Button>
        )}
      </Group>
    </>
  );
}

interface EndedProps {
  count: number;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

const EndedSwitch = ({ count, isChecked, onChange }: EndedProps) =>
  count > 0 && (
    <Switch
      size="sm"
      label={`Show revoked and expired keys (${count})`}
      checked={isChecked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
