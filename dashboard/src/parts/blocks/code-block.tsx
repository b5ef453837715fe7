// Text to be pasted elsewhere.
import { Box, Code } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyButton } from '../controls/copy-button.tsx';

interface Props {
  text: string;
  /** Names it to a screen reader: `the curl command`. */
  what: string;
  /** The same in a form that reads better; the text itself is what is copied. */
  shown?: string;
  /** In pixels; what is longer scrolls. */
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
