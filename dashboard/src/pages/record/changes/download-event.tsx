// Downloads all rows of an event. The request needs the caller's token, so the page fetches the file for the browser.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useApiClient } from '../../../client/api-provider.tsx';
import { MenuButton } from '../../../on-demand/menu-button.tsx';
import { saveBlob } from '../../../parts/controls/save-file.ts';
import { FILE_KINDS, type FileKind } from '../rows/file-kinds.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';

export function DownloadEvent({ deltaEventId }: { deltaEventId: string }) {
  const id = useRecordRef();
  const api = useApiClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ format, escape }: FileKind) => {
      const { data, response } = await api.GET('/v1/sources/{id}/delta/{deltaEventId}/download', {
        params: { path: { id, deltaEventId }, query: { format, escape } },
        parseAs: 'blob',
      });
      if (data !== undefined)
        saveBlob(data, response.headers.get('content-disposition'), `${deltaEventId}.${format}`);
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The file could not be created', message: error.message }),
  });
  return (
    <MenuButton
      entries={[
        { heading: 'All rows of the event' },
        ...FILE_KINDS.map((kind) => ({ title: kind.title, onClick: () => mutate(kind) })),
      ]}
      button={
        <Button variant="default" loading={isPending} leftSection={<IconDownload size={16} aria-hidden />}>
          Download
        </Button>
      }
    />
  );
}
