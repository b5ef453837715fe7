// For operators: the very workflow behind a thing, in the Temporal UI, where the server says that there is one.
import { Box, Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useInstallation } from '../../client/installation.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { isWebUrl } from '../record/origin-host.tsx';

interface Props {
  /** As operators search for it: `record/src_…` (of a record and of its checks), `delivery/dlv_…`. */
  workflowId: string;
  /** What is behind it: `this record`. */
  what: string;
}

/** Nothing where there is no Temporal UI to lead to, and nothing for whoever has no account. */
export function OperatorLink({ workflowId, what }: Props) {
  const { temporalUiUrl, temporalNamespace } = useInstallation();
  const { signedIn } = useSignedIn();
  if (!signedIn) return null;
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
