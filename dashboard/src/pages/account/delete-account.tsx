// Deletes the account with all of its data, after the user has typed its address and password.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { postAuth, type SignedIn } from '../../client/auth.ts';
import { Dialog } from '../../parts/controls/dialog.tsx';
import { faultAt, isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { KnownPasswordInput } from '../sign-in/known-password-input.tsx';

type Props = Pick<SignedIn, 'user'>;

export function DeleteAccount({ user }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Section
      title="Delete account"
      description="Deletes your account with its records, history, webhooks, API keys and connected clients. This cannot be undone."
    >
      <Group>
        <Button color="red" variant="outline" onClick={open}>
          Delete account
        </Button>
      </Group>
      <Dialog isOpen={isOpen} onClose={close} title="Delete your account?" centered>
        <DeleteForm user={user} onCancel={close} />
      </Dialog>
    </Section>
  );
}

function DeleteForm({ user: { email, hasPassword }, onCancel }: Props & { onCancel: () => void }) {
  const [typed, setTyped] = useState('');
  const [currentPassword, setCurrentPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      postAuth('delete-account', { email: typed.trim(), ...(hasPassword && { currentPassword }) }),
    // Reloads the page, so that nothing of the account stays in memory.
    onSuccess: () => location.assign('/dashboard/account-deleted'),
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  const shown = hasPassword ? ['/email', '/currentPassword'] : ['/email'];
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          Checks and deliveries stop at once, and API keys stop working. To confirm, type your email address:{' '}
          <b>{email}</b>
        </Text>
        <TextInput
          label="Email"
          type="email"
          value={typed}
          autoComplete="off"
          data-autofocus
          error={faultAt(error, '/email')}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {hasPassword && (
          <KnownPasswordInput
            value={currentPassword}
            error={faultAt(error, '/currentPassword')}
            onChange={setCurrentPassword}
          />
        )}
        {isElsewhere(error, shown) && <ProblemNote error={error} title="Your account was not deleted" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red"
            loading={isPending}
            disabled={typed.trim().toLowerCase() !== email || (hasPassword && currentPassword === '')}
          >
            Delete my account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
