// One entry of the audit log.
import { shownName } from '../../client/shown-name.ts';
import { Table, Text } from '@mantine/core';
import type { components } from '../../client/schema.ts';
import { AtSecond } from '../../parts/figures/time.tsx';

export type AuditEntry = components['schemas']['AuditEntry'];

const ACTORS: Record<AuditEntry['actor']['type'], string> = {
  api_key: 'API key',
  client: 'Connected client',
  user: 'Person',
  session: 'Anonymous session',
  operator: 'Operator',
  anonymous: 'Somebody with a link',
};

const DOORS: Record<AuditEntry['door'], string> = {
  api: 'API',
  mcp: 'MCP',
  dashboard: 'Dashboard',
  'sign-in': 'Sign-in pages',
  oauth: 'OAuth',
  mail: 'Link in a mail',
  operator: 'Command line',
};

export function EntryRow({ entry }: { entry: AuditEntry }) {
  const { createdAt, action, actor, target, count, door, ip, userAgent } = entry;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
        <AtSecond at={createdAt} />
      </Table.Th>
      <Table.Td>
        <TwoLines
          first={shownName(actor.name ?? ACTORS[actor.type])}
          second={actor.name && ACTORS[actor.type]}
        />
      </Table.Td>
      <Table.Td>
        <TwoLines first={action} second={count > 1 ? `${count} times` : null} />
      </Table.Td>
      <Table.Td>
        <TwoLines first={shownName(target.name ?? target.id)} second={target.name && target.id} />
      </Table.Td>
      <Table.Td>
        <Changes changes={entry.changes} />
      </Table.Td>
      <Table.Td title={userAgent ?? undefined}>
        <TwoLines first={DOORS[door]} second={ip} />
      </Table.Td>
    </Table.Tr>
  );
}

const TwoLines = ({ first, second }: { first: string; second: string | null }) => (
  <>
    <Text size="sm" maw={240} style={{ overflowWrap: 'anywhere' }}>
      {first}
    </Text>
    {second !== null && second !== '' && (
      <Text size="xs" c="dimmed" maw={240} style={{ overflowWrap: 'anywhere' }}>
        {second}
      </Text>
    )}
  </>
);

const Changes = ({ changes }: Pick<AuditEntry, 'changes'>) =>
  changes.map(({ field, before, after }) => (
    <Text key={field} size="sm" maw={320} style={{ overflowWrap: 'anywhere' }}>
      {after === undefined ? `${field}: replaced` : `${field}: ${words(before)} → ${words(after)}`}
    </Text>
  ));

/** Of a value of any kind. */
const words = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
