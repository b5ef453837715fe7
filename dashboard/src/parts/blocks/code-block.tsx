// Text to copy.
import { Box, Code } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyButton } from '../controls/copy-button.tsx';

interface Props {
  text: string;
  /** Names it for screen readers: `the curl command`. */
  what: string;
  /** The same text in a more readable form. The original is copied. */
  shown?: string;
  /** In pixels; longer text scrolls. */
  maxHeight?: number | 'none';
}

export function CodeBlock({ text, what, shown = text, maxHeight = 'none' }: Props) {
  return (
    <Box className={classes['box']}>
      <Code block className={classes['code']} tabIndex={0} aria-label={what} mah={maxHeight}>
        {shown}
      </Code>
      <div className={classes['copy']}>
        <CopyButton value={text} what={what} />
      </div>
    </Box>
  );
}
