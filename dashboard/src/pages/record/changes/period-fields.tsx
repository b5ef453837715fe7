// From when until when, in the reader's own zone; the address holds it in UTC.
import { Button, Group, TextInput } from '@mantine/core';
import type { UrlChanges } from '../../../parts/use-url-state.ts';

interface Props {
  since: string | null;
  until: string | null;
  onChange: (changes: UrlChanges) => void;
}

const MINUTE_MS = 60_000;

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
          All times
        </Button>
      )}
    </Group>
  );
}

/** As such a field has it: `2026-03-02T09:00`, without a zone. Empty for what is no time, such as an event's id. */
function localMinute(at: string | null): string {
  const ms = Date.parse(at ?? '');
  if (Number.isNaN(ms)) return '';
  return new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, 'yyyy-mm-ddThh:mm'.length);
}

const isoTime = (local: string): string | null => {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};
