// Keys that give access to all of the account's records.
import { ApiKeys } from '../../parts/api-keys/api-keys.tsx';
import { useAccountKeys } from '../../parts/api-keys/key-resource.ts';
import { NewKey } from '../../parts/api-keys/new-key.tsx';
import { LockedNote } from '../../parts/blocks/locked-note.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { useIsLocked } from '../../parts/state/use-usage.ts';

export function AccountKeys() {
  const resource = useAccountKeys();
  const isLocked = useIsLocked();
  return (
    <Section
      title="Account keys"
      description="An account key gives access to all records of the account. For a program that needs one record, create a key on that record’s Connect tab."
      actions={isLocked ? undefined : <NewKey resource={resource} />}
    >
      {isLocked && <LockedNote feature="API keys" isAnonymous={false} />}
      <ApiKeys
        resource={resource}
        isLocked={isLocked}
        whenNone="Create one for each program, so that you can revoke them one by one."
      />
    </Section>
  );
}
