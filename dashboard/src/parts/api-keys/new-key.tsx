// Creates a key: its name, scope and expiry; then its value, shown once.
import { Button, Group, Stack, Text } from '@mantine/core';
import { confirming } from '../forms/confirmation.tsx';
import { Creation } from '../forms/creation.tsx';
import { ShownOnce } from '../blocks/shown-once.tsx';
import { type KeyResource, useRefreshKeys } from './key-resource.ts';
import { NewKeyForm } from './new-key-form.tsx';

interface Props {
  resource: KeyResource;
  /** Says where else on the page the value is used. */
  afterwards?: string | undefined;
  onCreated?: (key: string) => void;
}

export function NewKey({ resource, afterwards, onCreated }: Props) {
  const refresh = useRefreshKeys(resource);
  const create = confirming(resource.create);
  return (
    <Creation
      what="key"
      feature="API keys"
      create={create}
      onCreated={(key) => {
        onCreated?.(key);
        void refresh();
      }}
      renderForm={(form) => <NewKeyForm scopes={resource.scopes} {...form} />}
    >
      {(key, close) => <Created value={key} afterwards={afterwards} onDone={close} />}
    </Creation>
  );
}

interface CreatedProps {
  value: string;
  afterwards: string | undefined;
  onDone: () => void;
}

const Created = ({ value, afterwards, onDone }: CreatedProps) => (
  <Stack>
    <ShownOnce value={value} what="the key">
      It is shown only once, because only its hash is stored.
    </ShownOnce>
    {afterwards !== undefined && <Text size="sm">{afterwards}</Text>}
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
);
