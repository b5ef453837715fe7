// Search and column look at the rows that are loaded: says how far that goes, and goes on when asked.
import { Button, Group, Text } from '@mantine/core';
import { formatCount } from '../../../parts/change-count.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import type { RowPages } from '../../../parts/row-table/use-row-pages.ts';

interface Props {
  state: Pick<RowPages<unknown>, 'error' | 'hasMore' | 'isLoadingMore' | 'loadMore' | 'retry'>;
  shown: number;
  loaded: number;
  total: number;
}

export function FilteredNote({ state, shown, loaded, total }: Props) {
  return (
    <>
      <Group gap="sm" mb="xs" mih={30}>
        <Text size="sm" c="dimmed" component="output">
          {formatCount(shown)} of the {formatCount(loaded)} rows looked through
          {state.hasMore && `; ${formatCount(total - loaded)} are not loaded yet`}
        </Text>
        {state.hasMore && (
          <Button
            size="compact-sm"
            variant="default"
            loading={state.isLoadingMore}
            onClick={state.error === null ? state.loadMore : state.retry}
          >
            Look through more rows
          </Button>
        )}
      </Group>
      <ProblemNote error={state.error} title="More rows could not be loaded" />
    </>
  );
}
