// The field `failingAfter`: how many checks in a row must fail before `check.failed` is sent.
import { NumberInput } from '@mantine/core';

interface Props {
  value: number;
  onChange: (checks: number) => void;
  error: string | undefined;
}

export const FailingAfterField = ({ value, onChange, error }: Props) => (
  <NumberInput
    label="Failed checks in a row"
    description="check.failed is sent after so many, and check.recovered only then."
    min={1}
    max={100}
    allowDecimal={false}
    allowNegative={false}
    maw={240}
    value={value}
    onChange={(checks) => typeof checks === 'number' && onChange(checks)}
    error={error}
  />
);
