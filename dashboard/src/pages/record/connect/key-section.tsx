// Keys that give access to this record only.
import { ApiKeys } from '../../../parts/api-keys/api-keys.tsx';
import { useRecordKeys } from '../../../parts/api-keys/key-resource.ts';
import { NewKey } from '../../../parts/api-keys/new-key.tsx';
import { LockedNote } from '../../../parts/blocks/locked-note.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { useIsLocked } from '../../../parts/state/use-usage.ts';

interface Props {
  recordRef: string;
  isAnonymous: boolean;
  onCreated: (key: string) => void;
}

const TITLE = 'Record keys';

export function KeySection({ recordRef, isAnonymous, onCreated }: Props) {
  const resource = useRecordKeys(recordRef);
  const isLocked = useIsLocked(!isAnonymous);
  if (isAnonymous) {
    return (
      <Section
        title={TITLE}
        description="Until you keep this record, programs use the token of your session."
      >
        <LockedNote feature="API keys" isAnonymous />
      </Section>
    );
  }
  return (
    <Section
      title={TITLE}
      description="A record key gives access to this record only. It is the safest key for a program."
      actions={
        isLocked ? undefined : (
          <NewKey
            resource={resource}
            afterwards="The examples on this page contain it until you leave the page."
            onCreated={onCreated}
          />
        )
      }
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
