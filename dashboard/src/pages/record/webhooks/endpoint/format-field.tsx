// The form of a webhook's bodies.
import { NativeSelect } from '@mantine/core';
import type { Webhook } from '../webhook-model.ts';

interface Props {
  value: Webhook['format'];
  onChange: (format: Webhook['format']) => void;
  error: string | undefined;
}

export const FormatField = ({ value, onChange, error }: Props) => (
  <NativeSelect
    label="Format"
    description="CloudEvents 1.0 wraps the same members in an envelope that many event routers read."
    maw={240}
    value={value}
    data={[
      { value: 'json', label: 'JSON' },
      { value: 'cloudevents', label: 'CloudEvents' },
    ]}
    onChange={({ currentTarget }) => onChange(currentTarget.value === 'cloudevents' ? 'cloudevents' : 'json')}
    error={error}
  />
);
