// The product in one sentence.
import { Text, Title } from '@mantine/core';
import classes from './start.module.css';

export const Hero = () => (
  <div className={classes['hero']}>
    <Title order={1} className={classes['title']}>
      See exactly what changes behind a URL
    </Title>
    <Text size="lg" c="dimmed" maw={640} mx="auto" mt="md">
      Paste the address of a CSV, TSV, JSON or JSON Lines file. It is fetched every hour, and you see which
      rows are new, changed or deleted.
    </Text>
  </div>
);
