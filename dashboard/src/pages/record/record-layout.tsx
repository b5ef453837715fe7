// What stands above every tab of a record: its name, its state, the tabs.
import { Skeleton, Tabs } from '@mantine/core';
import { Link, Outlet, useLocation } from 'react-router';
import { PageTitle } from '../../parts/page-title.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useRecordPath, useRecordRef } from './record-ref.ts';
import { useRecord } from './use-record.ts';

const TABS = [
  ['', 'Overview'],
  ['changes', 'Changes'],
  ['data', 'Data'],
  ['checks', 'Checks'],
  ['connect', 'Connect'],
  ['webhooks', 'Webhooks'],
  ['settings', 'Settings'],
] as const;

export function Component() {
  const path = useRecordPath();
  const { data: record, error } = useRecord(useRecordRef());
  const current = useLocation().pathname.slice(path.length).split('/')[1] ?? '';
  if (error !== null) return <ProblemNote error={error} title="This record cannot be shown" />;
  return (
    <>
      {record === undefined ? <Skeleton h={34} mb="md" w="40%" /> : <PageTitle title={record.name} />}
      <Tabs value={current} mb="lg">
        <Tabs.List>
          {TABS.map(([tab, title]) => (
            <Tabs.Tab
              key={tab}
              value={tab}
              renderRoot={(props) => <Link to={tab === '' ? path : `${path}/${tab}`} {...props} />}
            >
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Outlet />
    </>
  );
}
