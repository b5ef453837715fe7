// The frame of every tab of a record: its name, its status, the tabs.
import { shownName } from '../../client/shown-name.ts';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Outlet, useLocation } from 'react-router';
import { KeepBanner } from '../start/keep-banner.tsx';
import { RecordGone, isGone } from './record-gone.tsx';
import { RecordHeader } from './record-header.tsx';
import { useRecordPath, useRecordRef } from '../../parts/record/record-ref.ts';
import { RecordTabs, tabTitle } from './record-tabs.tsx';
import { useRecordKey } from './use-record-key.ts';
import { useFreshLists, useRecord } from '../../parts/record/use-record.ts';

export function Component() {
  const path = useRecordPath();
  const ref = useRecordRef();
  const { data: record, error } = useRecord(ref);
  const key = useRecordKey(ref, record?.id);
  useFreshLists(record);
  const tab = useLocation().pathname.slice(path.length).split('/')[1] ?? '';
  // A failed poll is no reason to remove the page.
  if (error !== null && (record === undefined || isGone(error))) return <RecordGone error={error} />;
  return (
    <>
      <title>{`${tabTitle(tab)} · ${shownName(record?.name ?? 'Record')} · Recordwatch`}</title>
      {ref === 'self' && <KeepBanner />}
      {record === undefined ? <Coming /> : <RecordHeader key={record.id} record={record} />}
      <RecordTabs />
      <Outlet key={key} />
    </>
  );
}

const Coming = () => (
  <>
    <VisuallyHidden component="h1">The record is being loaded</VisuallyHidden>
    <Skeleton h={62} mb="md" />
  </>
);
