// Previews changed settings on the stored data. A record without data has nothing to preview.
import { Button } from '@mantine/core';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';

interface Props {
  record: TrackedRecord;
  isChanged: boolean;
  isPending: boolean;
  onClick: () => void;
}

export const PreviewButton = ({ record, isChanged, isPending, onClick }: Props) =>
  record.latestSnapshotId !== null && (
    <Button variant="default" disabled={!isChanged} loading={isPending} onClick={onClick}>
      Preview
    </Button>
  );
