// The field `quietHours`: hours without a change before `record.quiet` is sent.
import { NumberInput } from '@mantine/core';

interface Props {
  value: number;
  onChange: (hours: number) => void;
  error: string | undefined;
}

export const QuietField = ({ value, onChange, error }: Props) => (
  <NumberInput
    label="Hours without a change"
    description="record.quiet is sent once, and again after the next change."
    min={1}
    max={8_760}
    allowDecimal={false}
    allowNegative={false}
    maw={240}
    value={value}
    onChange={(hours) => typeof hours === 'number' && onChange(hours)}
    error={error}
  />
);
