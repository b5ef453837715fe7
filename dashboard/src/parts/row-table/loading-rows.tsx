// The line below a table of rows: how many are loaded, and why others are not.
import { Button, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { formatCount } from '../figures/change-count.tsx';
import { ProblemNote } from '../blocks/problem-note.tsx';
import type { RowPages } from './use-row-pages.ts';

interface Props {
  state: Pick<RowPages<unknown>, 'error' | 'hasMore' | 'isLoadingMore' | 'retry'>;
  loaded: number;
  /** Undefined: unknown. */
  total?: number | undefined;
}

export function LoadedNote({ state: { error, hasMore, isLoadingMore, retry }, loaded, total }: Props) {
  const of = total === undefined ? (hasMore ? ', and there are more' : '') : ` of ${formatCount(total)}`;
  return (
    <Stack gap="xs" mt="xs">
      {error !== null && (
        <>
          <ProblemNote error={error} title="More rows could not be loaded" />
          <Button variant="default" onClick={retry} w="fit-content">
            Try again
          </Button>
        </>
      )}
      <Group gap="xs" h={22}>
        <Text size="sm" c="dimmed">
          {formatCount(loaded)}
          {of} rows loaded{hasMore && '; scroll for more'}
        </Text>
        {isLoadingMore && <Loader size="xs" aria-label="Loading more rows" />}
      </Group>
    </Stack>
  );
}

/** As high as a table of rows, so that nothing moves when it appears. */
export const RowsSkeleton = () => <Skeleton h="max(320px, calc(100dvh - 260px))" radius="md" />;
