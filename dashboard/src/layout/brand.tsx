// The name. It links to the start: all records, or the field for a URL.
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import classes from './shell.module.css';
import { useSignedIn } from './signed-in.tsx';

export function Brand() {
  const { signedIn } = useSignedIn();
  return (
    <Link to={signedIn ? '/records' : '/'} className={classes['name']}>
      <img src="/dashboard/icon.svg" alt="" width={26} height={26} />
      <Text fw={700} component="span" lts="-0.01em">
        Recordwatch
      </Text>
    </Link>
  );
}
