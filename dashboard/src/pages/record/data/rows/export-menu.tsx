// Exports rows of a snapshot: the browser follows a link that works for 15 minutes and needs no credential.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useApiClient } from '../../../../client/api-provider.tsx';
import { counted } from '../../../../parts/figures/counted.ts';
import { MenuButton, type MenuEntry } from '../../../../on-demand/menu-button.tsx';
import { followDownload } from '../../../../parts/controls/save-file.ts';
import { useRecordRef } from '../../../../parts/record/record-ref.ts';
import { FILE_KINDS, type FileKind } from '../../rows/file-kinds.ts';
import { isEverything, type RowSelection, selectionBody } from './selection.ts';
import { useSelection } from './use-selection.ts';
import type { Snapshot } from '../../rows/use-snapshot.ts';

const EVERYTHING: RowSelection = { search: '', fields: [], filters: [] };

export function ExportMenu({ snapshot }: { snapshot: Snapshot }) {
  const { selection } = useSelection();
  const { mutate, isPending } = useExport(snapshot.id);
  const files = (rows: RowSelection): MenuEntry[] =>
    FILE_KINDS.map((kind) => ({ title: kind.title, onClick: () => mutate({ kind, rows }) }));
  const found: MenuEntry[] = isEverything(selection)
    ? []
    : [{ heading: 'Rows that match the search and filters' }, ...files(selection), 'divider'];
  return (
    <MenuButton
      entries={[
        ...found,
        { heading: `All of the snapshot: ${counted(snapshot.totalRows, 'row')}` },
        ...files(EVERYTHING),
      ]}
      button={
        <Button variant="default" loading={isPending} leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      }
    />
  );
}

interface Asked {
  kind: FileKind;
  rows: RowSelection;
}

function useExport(snapshotId: string) {
  const id = useRecordRef();
  const api = useApiClient();
  return useMutation({
    mutationFn: async ({ kind: { format, escape }, rows }: Asked) => {
      const { data } = await api.POST('/v1/sources/{id}/snapshots/{snapshotId}/download-links', {
        params: { path: { id, snapshotId } },
        body: { format, escape, ...selectionBody(rows) },
      });
      if (data !== undefined) followDownload(data.url);
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The file could not be created', message: error.message }),
  });
}
