// The whole text of a value that a table cuts, in a dialog.
import { Code } from '@mantine/core';
import { createContext, type ReactNode, useState } from 'react';
import { nameOfColumn } from '../record/column-name.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { Dialog } from '../controls/dialog.tsx';

interface Shown {
  column: string;
  text: string;
}

/** Shows a value. */
export const WholeText = createContext<(shown: Shown) => void>(() => undefined);

/** More than this slows a browser down. Copying takes all of it. */
const SHOWN_CHARACTERS = 100_000;

export function WholeTextProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const { column = '', text = '' } = shown ?? {};
  return (
    <WholeText value={setShown}>
      {children}
      <Dialog
        isOpen={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={nameOfColumn(column)}
        size="lg"
      >
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} tabIndex={0}>
          {text.slice(0, SHOWN_CHARACTERS)}
          {text.length > SHOWN_CHARACTERS && '…'}
        </Code>
        <CopyButton value={text} what="the whole value" />
      </Dialog>
    </WholeText>
  );
}
