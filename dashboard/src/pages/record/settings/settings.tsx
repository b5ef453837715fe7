// The settings of a record.
import { Divider, Skeleton, Stack } from '@mantine/core';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';
import { ColumnRulesSettings } from './column-rules.tsx';
import { DeleteRecord } from './delete-record.tsx';
import { FormatSettings } from './format-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { LabelSettings } from './label-settings.tsx';
import { OriginSettings } from './origin-settings.tsx';
import { RuleSettings } from './rule-settings.tsx';
import { ScheduleSettings } from './schedule-settings.tsx';
import { StartOver } from './start-over.tsx';

export function Component() {
  const { data: record } = useRecord(useRecordRef());
  if (record === undefined) return <Skeleton h={600} />;
  return (
    <Stack gap="xl">
      <GeneralSettings record={record} />
      <Divider />
      <LabelSettings record={record} />
      <Divider />
      <OriginSettings record={record} />
      <Divider />
      <ScheduleSettings record={record} />
      <Divider />
      <RuleSettings record={record} />
      <Divider />
      <ColumnRulesSettings record={record} />
      <Divider />
      <FormatSettings record={record} />
      <Divider />
      <StartOver />
      <Divider />
      <DeleteRecord record={record} />
    </Stack>
  );
}
