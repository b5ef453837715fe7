// The start and the end of a period, in the reader's time zone. The address has them in UTC.
import { Button, Group, TextInput } from '@mantine/core';
import { localMinute } from '../../../parts/figures/local-minute.ts';
import type { UrlChanges } from '../../../parts/state/use-url-state.ts';

interface Props {
  since: string | null;
  until: string | null;
  onChange: (changes: UrlChanges) => void;
}

export function PeriodFields({ since, until, onChange }: Props) {
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        type="datetime-local"
        label="From"
        value={localMinute(since)}
        onChange={({ currentTarget }) => onChange({ since: isoTime(currentTarget.value) })}
      />
      <TextInput
        type="datetime-local"
        label="Until"
        value={localMinute(until)}
        onChange={({ currentTarget }) => onChange({ until: isoTime(currentTarget.value) })}
      />
      {(since !== null || until !== null) && (
        <Button variant="subtle" onClick={() => onChange({ since: null, until: null })}>
          All time
        </Button>
      )}
    </Group>
  );
}

const isoTime = (local: string): string | null => {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};
