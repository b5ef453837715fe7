// What is sent: a body for a program, or a message for people.
import { NativeSelect } from '@mantine/core';
import { useInstallation } from '../../../../client/installation.ts';
import { FORMATS, type Format } from '../webhook-model.ts';

interface Props {
  value: Format;
  onChange: (format: Format) => void;
  /** Mails stay mails, and the others stay others. Null: not chosen yet. */
  means: 'mail' | 'request' | null;
  error: string | undefined;
}

export function FormatField({ value, onChange, means, error }: Props) {
  const { sendsMails } = useInstallation();
  const offered = FORMATS.filter(({ value: format }) =>
    format === 'mail' ? means === 'mail' || (means === null && sendsMails) : means !== 'mail',
  );
  const { meaning } = FORMATS.find((format) => format.value === value) ?? {};
  return (
    <NativeSelect
      label="Format"
      description={meaning}
      maw={380}
      value={value}
      data={offered.map(({ value: format, label }) => ({ value: format, label }))}
      onChange={({ currentTarget }) => {
        const chosen = offered.find((format) => format.value === currentTarget.value);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      error={error}
    />
  );
}
