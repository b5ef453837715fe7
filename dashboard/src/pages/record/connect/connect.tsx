// How programs use this record: MCP, code to paste, keys.
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../../client/session-context.ts';
import { useInstallation } from '../../../client/installation.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';
import { accessOf } from './access.ts';
import { CodeSection } from './code-section.tsx';
import { KeySection } from './key-section.tsx';
import { McpSection } from './mcp-section.tsx';

export function Component() {
  const ref = useRecordRef();
  const { data: record } = useRecord(ref);
  const { baseUrl } = useInstallation();
  const [newKey, setNewKey] = useState<string>();
  const session = useSession();
  const isAnonymous = ref === 'self';
  const access = accessOf({
    base: baseUrl,
    // Uses the id, because slugs change.
    reference: isAnonymous ? 'self' : (record?.id ?? ref),
    credential: isAnonymous ? session?.token : newKey,
    isAnonymous,
  });
  const keys = <KeySection recordRef={ref} isAnonymous={isAnonymous} onCreated={setNewKey} />;
  return (
    <Stack gap={48}>
      {!isAnonymous && keys}
      <McpSection access={access} />
      <CodeSection access={access} />
      {isAnonymous && keys}
    </Stack>
  );
}
