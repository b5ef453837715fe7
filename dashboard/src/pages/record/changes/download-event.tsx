// Downloads all rows of an event. The request needs the caller's token, so the page fetches the file for the browser.
import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useApiClient } from '../../../client/api-provider.tsx';
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
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" loading={isPending} leftSection={<IconDownload size={16} aria-hidden />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All rows of the event</Menu.Label>
        {FILE_KINDS.map((kind) => (
          <Menu.Item key={kind.title} onClick={() => mutate(kind)}>
            {kind.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
