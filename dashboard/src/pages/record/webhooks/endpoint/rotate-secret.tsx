// Gives a webhook another signing secret, while the previous one stays valid for a day.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { faultAt, isElsewhere } from '../../../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { Dialog } from '../../../../parts/controls/dialog.tsx';
import { OwnSecretField } from './own-secret-field.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useRefreshWebhooks, useWebhookDeeds, type TaskProps } from '../webhook-queries.ts';

export function RotateSecret({ path, onClose }: TaskProps) {
  const { rotate } = useWebhookDeeds(path);
  const refresh = useRefreshWebhooks();
  const [own, setOwn] = useState('');
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => rotate(own === '' ? {} : { secret: own }),
    onSuccess: () => void refresh(),
    // Without a network it fails at once, instead of waiting in a dialog that cannot be closed.
    networkMode: 'always',
  });
  // A rotation cannot be cancelled, and the secret is shown only here.
  const leave = (): void => {
    if (!isPending) onClose();
  };
  const isDone = data !== undefined;
  return (
    <Dialog title={isDone ? 'The new secret' : 'Rotate the secret?'} onClose={leave} holdsSecret={isDone}>
      <Stack>
        {isDone && <SecretOnce secret={data.secret ?? ''} />}
        {!isDone && <OwnSecretField value={own} onChange={setOwn} error={faultAt(error, '/secret')} />}
        <Text size="sm">
          For 24 hours each delivery has two signatures, one of the new secret and one of the previous secret,
          so no delivery is refused while you switch. Rotating again within that time ends the previous secret
          at once.
        </Text>
        {isElsewhere(error, ['/secret']) && <ProblemNote error={error} />}
        <Group justify="flex-end">
          {isDone ? (
            <Button onClick={onClose}>Done</Button>
          ) : (
            <>
              <Button variant="default" disabled={isPending} onClick={leave}>
                Cancel
              </Button>
              <Button loading={isPending} onClick={() => mutate()}>
                Rotate secret
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
