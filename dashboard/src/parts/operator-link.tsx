// For operators: the very workflow behind a thing, in the Temporal UI, where the server says that there is one.
import { Box, Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useInstallation } from '../client/installation.ts';
import { isWebUrl } from './origin-host.tsx';

interface Props {
  /** As operators search for it: `record/src_…` (of a record and of its checks), `delivery/dlv_…`. */
  workflowId: string;
  /** What is behind it: `this record`. */
  what: string;
}

/** Nothing where there is no Temporal UI to lead to. */
export function OperatorLink({ workflowId, what }: Props) {
  const { temporalUiUrl, temporalNamespace } = useInstallation();
  if (temporalUiUrl === null || temporalNamespace === null || !isWebUrl(temporalUiUrl)) return null;
  const path = ['namespaces', temporalNamespace, 'workflows', workflowId].map(encodeURIComponent).join('/');
  return (
    <Button
      component="a"
      href={`${temporalUiUrl.replace(/\/$/, '')}/${path}`}
      target="_blank"
      rel="noopener noreferrer"
      variant="subtle"
      color="gray"
      aria-label={`The workflow of ${what} in Temporal (opens in a new tab)`}
      px="xs"
    >
      <Box component="span" visibleFrom="xs" me={8}>
        Workflow
      </Box>
      <IconExternalLink size={14} aria-hidden />
    </Button>
  );
}
