// A search field that puts its text into the address shortly after typing.
import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface Props {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

const PAUSE_MS = 250;

export function UrlSearchField({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [told, setTold] = useState(value);
  if (known !== value) {
    setKnown(value);
    // The address changed by other means: back, a link, Clear. The field's own changes also come back, when the user may
    // have typed more.
    if (told !== value) {
      setTold(value);
      setTyped(value);
    }
  }
  const tell = useDebouncedCallback((text: string) => {
    setTold(text);
    onChange(text);
  }, PAUSE_MS);
  const type = (text: string): void => {
    setTyped(text);
    tell(text);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed !== '' && <CloseButton aria-label="Clear the search" onClick={() => type('')} />}
      w={{ base: '100%', xs: 260 }}
    />
  );
}
