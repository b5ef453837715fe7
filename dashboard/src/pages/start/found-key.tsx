// The key fields of the record, and why they were chosen.
import { Badge, Group, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { evidenceWords, otherKeysWords } from '../../parts/record/key-evidence.ts';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import { Section } from '../../parts/blocks/section.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { useRecordPath } from '../../parts/record/record-ref.ts';

export function FoundKey({ record }: { record: TrackedRecord }) {
  const path = useRecordPath();
  const { keyFields, keySource } = record;
  const others = otherKeysWords(record.keyEvidence);
  return (
    <Section title={keyFields !== null && keyFields.length > 1 ? 'Key fields' : 'Key field'}>
      <div>
        {keyFields !== null && keyFields.length > 0 && (
          <Group gap={6} mb="xs">
            {keyFields.map((field) => (
              <Badge
                key={field}
                variant="light"
                tt="none"
                ff="monospace"
                size="lg"
                maw="100%"
                leftSection={<IconKey size={13} aria-hidden />}
              >
                {field}
              </Badge>
            ))}
          </Group>
        )}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {keySource === 'given' ? 'You chose it.' : evidenceWords(record.keyEvidence)}
        </Text>
        <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {others !== undefined && `${others} `}
          <TextLink to={`${path}/settings`}>Choose another key</TextLink>
        </Text>
      </div>
    </Section>
  );
}
