// Asks for the code that the command line shows.
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';

export function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onCode(asWritten(text));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Code"
          description="Your terminal shows it after “recordwatch login”"
          placeholder="BCDF-GHJK"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit">Continue</Button>
      </Stack>
    </form>
  );
}

/** As the service writes codes, however a person types them. */
function asWritten(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : text.trim();
}
