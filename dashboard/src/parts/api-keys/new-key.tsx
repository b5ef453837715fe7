// Creates a key: its name, scope and expiry; then its value, shown once.
import { Button, Group, Stack, Text } from '@mantine/core';
import { confirming } from '../forms/confirmation.tsx';
import { Creation } from '../forms/creation.tsx';
import { ShownOnce } from '../blocks/shown-once.tsx';
import { type KeyResource, type NewKey as NewKeyValues, type Scope, useRefreshKeys } from './key-resource.ts';
import { NewKeyForm } from './new-key-form.tsx';

interface Props {
  resource: KeyResource;
  /** Says where else on the page the value is used. */
  afterwards?: string | undefined;
  onCreated?: (key: string) => void;
}

export function NewKey({ resource, afterwards, onCreated }: Props) {
  const refresh = useRefreshKeys(resource);
  const create = confirming(async (wanted: NewKeyValues) => ({
    value: await resource.create(wanted),
    scope: wanted.scope,
  }));
  return (
    <Creation
      what="key"
      feature="API keys"
      create={create}
      onCreated={({ value, scope }) => {
        // The page's examples do more than read the feed.
        if (scope !== 'feed') onCreated?.(value);
        void refresh();
      }}
      renderForm={(form) => <NewKeyForm scopes={resource.scopes} {...form} />}
    >
      {(key, close) => <Created {...key} afterwards={afterwards} onDone={close} />}
    </Creation>
  );
}

interface CreatedProps {
  value: string;
  scope: Scope;
  afterwards: string | undefined;
  onDone: () => void;
}

const Created = ({ value, scope, afterwards, onDone }: CreatedProps) => (
  <Stack>
    {scope === 'feed' ? (
      <ShownOnce value={`${location.origin}/v1/events.atom?token=${value}`} what="the address">
        It is shown only once. Anyone who has it can read the feed until you revoke the key.
      </ShownOnce>
    ) : (
      <ShownOnce value={value} what="the key">
        It is shown only once, because only its hash is stored.
      </ShownOnce>
    )}
    {afterwards !== undefined && scope !== 'feed' && <Text size="sm">{afterwards}</Text>}
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
);
