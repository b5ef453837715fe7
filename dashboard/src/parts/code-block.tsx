// Text to be pasted elsewhere.
import { Box, Code } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** @param what names the text to a screen reader: `the curl command` */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <Box className={classes['box']}>
      <Code block className={classes['code']} tabIndex={0} aria-label={what}>
        {text}
      </Code>
      <div className={classes['copy']}>
        <CopyButton value={text} what={what} />
      </div>
    </Box>
  );
}
