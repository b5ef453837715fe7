// Links operators to a workflow in the Temporal UI.
import { Box, Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { isWebUrl } from '../record/origin-host.tsx';

interface Props {
  /** The workflow's id: `record/src_…` (of a record and of its checks), `delivery/dlv_…`. */
  workflowId: string;
  /** The workflow's object: `this record`. */
  what: string;
}

/** Empty unless the server names the UI, which it does for operators only. */
export function OperatorLink({ workflowId, what }: Props) {
  const ui = useSignedIn().signedIn?.temporalUi;
  if (!ui || !isWebUrl(ui.url)) return null;
  const path = ['namespaces', ui.namespace, 'workflows', workflowId].map(encodeURIComponent).join('/');
  return (
    <Button
      component="a"
      href={`${ui.url.replace(/\/$/, '')}/${path}`}
      target="_blank"
      rel="noopener noreferrer"
      variant="subtle"
      color="gray"
      aria-label={`In Temporal: the workflow of ${what} (opens in a new tab)`}
      title="For operators"
      px="xs"
    >
      <Box component="span" visibleFrom="xs" me={8}>
        In Temporal
      </Box>
      <IconExternalLink size={14} aria-hidden />
    </Button>
  );
}
