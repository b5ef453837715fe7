// When failed deliveries are retried, unless the operator has set other waits (docs/operations.md).
import { Stack, Table, Title } from '@mantine/core';

const ATTEMPTS = [
  ['at once', 'at once'],
  ['5 s', '5 s'],
  ['5 min', '5 min'],
  ['30 min', '35 min'],
  ['2 h', '2 h 35 min'],
  ['5 h', '7 h 35 min'],
  ['10 h', '17 h 35 min'],
  ['14 h', '31 h 35 min'],
  ['20 h', '51 h 35 min'],
  ['24 h', '75 h 35 min'],
] as const;

export const RetrySchedule = () => (
  <Stack gap="sm" flex="1 1 360px" maw={480}>
    <Title order={3}>Retry schedule</Title>
    <Table verticalSpacing={4}>
      <Table.Caption>Each wait varies by up to 20%.</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Attempt</Table.Th>
          <Table.Th scope="col">Wait</Table.Th>
          <Table.Th scope="col">Since first attempt (about)</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ATTEMPTS.map(([wait, since], index) => (
          <Table.Tr key={since}>
            <Table.Th scope="row" fw={400}>
              {index + 1}
            </Table.Th>
            <Table.Td>{wait}</Table.Td>
            <Table.Td>{since}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Stack>
);
