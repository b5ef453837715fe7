// The labels that the list of records is limited to, each with a button that removes it.
import { Group, Pill } from '@mantine/core';

interface Props {
  labels: readonly string[];
  onChange: (labels: string[]) => void;
}

export const ChosenLabels = ({ labels, onChange }: Props) => (
  <Group gap="xs">
    {labels.map((label) => (
      <Pill
        key={label}
        withRemoveButton
        removeButtonProps={{
          'aria-label': `Show records without ${label} too`,
          'aria-hidden': false,
          tabIndex: 0,
        }}
        onRemove={() => onChange(labels.filter((each) => each !== label))}
      >
        {label}
      </Pill>
    ))}
  </Group>
);
