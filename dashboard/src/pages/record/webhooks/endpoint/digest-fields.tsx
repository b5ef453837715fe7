// Whether a message for people waits for others, to be sent with them at a full hour or once a day.
import { Autocomplete, Fieldset, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import type { DigestDraft, WebhookDraft } from './webhook-draft.ts';

interface Props {
  draft: WebhookDraft;
  onChange: (changes: Partial<WebhookDraft>) => void;
  error: unknown;
}

const PERIODS: Readonly<Record<DigestDraft['every'], string>> = {
  event: 'at once',
  hour: 'together, every hour',
  day: 'together, once a day',
};

export function DigestFields({ draft: { digest }, onChange, error }: Props) {
  const change = (changes: Partial<DigestDraft>): void => onChange({ digest: { ...digest, ...changes } });
  const dailyFault = faultAt(error, '/digest/at') ?? faultAt(error, '/digest/timeZone');
  return (
    <Fieldset legend="Digest">
      <Stack>
        <NativeSelect
          label="Send events"
          description="At once, more than three messages in ten minutes become one."
          maw={320}
          value={digest.every}
          data={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => change({ every: currentTarget.value as DigestDraft['every'] })}
          error={dailyFault === undefined ? faultAt(error, '/digest') : undefined}
        />
        {digest.every === 'day' && <DailyFields digest={digest} onChange={change} error={error} />}
      </Stack>
    </Fieldset>
  );
}

interface DailyProps {
  digest: DigestDraft;
  onChange: (changes: Partial<DigestDraft>) => void;
  error: unknown;
}

const DailyFields = ({ digest, onChange, error }: DailyProps) => (
  <Group align="start">
    <TextInput
      label="Time of day"
      type="time"
      required
      value={digest.at}
      onChange={({ currentTarget }) => onChange({ at: currentTarget.value })}
      error={faultAt(error, '/digest/at')}
    />
    <Autocomplete
      label="Time zone"
      limit={20}
      data={Intl.supportedValuesOf('timeZone')}
      value={digest.timeZone}
      onChange={(timeZone) => onChange({ timeZone })}
      error={faultAt(error, '/digest/timeZone')}
    />
  </Group>
);
