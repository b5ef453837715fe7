// On the reader's own machine: the command that puts a record on a paid tier, ready to copy.
import { shownName } from '../../client/shown-name.ts';
import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useApiQueries } from '../../client/api-provider.tsx';
import { useIsOwnMachine } from '../../client/own-machine.ts';
import { CodeBlock } from './code-block.tsx';

/** For the page's record, or for the newest one. Empty elsewhere, and if there is no record. */
export function TierCommand() {
  const isOwnMachine = useIsOwnMachine();
  const { ref } = useParams();
  const { queryOptions } = useApiQueries();
  const params = { path: { id: ref ?? '' } };
  const isOne = ref !== undefined;
  const { data: one } = useQuery(
    queryOptions('get', '/v1/sources/{id}', { params }, { enabled: isOwnMachine && isOne }),
  );
  const query = { limit: 1, sort: 'created' } as const;
  const { data: newest } = useQuery(
    queryOptions('get', '/v1/sources', { params: { query } }, { enabled: isOwnMachine && !isOne }),
  );
  const record = one ?? newest?.sources[0];
  if (!isOwnMachine || record === undefined) return null;
  return (
    <Stack gap={6} mt="xs">
      <Text size="sm">
        Recordwatch runs on this machine, so you can set it yourself. In the folder of <Code>npm start</Code>,
        for {isOne ? 'this record' : shownName(record.name)}:
      </Text>
      <CodeBlock
        text={`npm run recordwatch -- record tier ${record.id} watch`}
        what="the command that sets the tier"
      />
    </Stack>
  );
}
