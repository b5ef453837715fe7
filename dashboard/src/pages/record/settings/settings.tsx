// The settings of a record, in sections that are saved one by one.
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';
import { ColumnRulesSettings } from './column-rules.tsx';
import { DeleteRecord } from './delete-record.tsx';
import { FormatSettings } from './format-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { LabelSettings } from './label-settings.tsx';
import { OriginSettings } from './origin-settings.tsx';
import { PairingSettings } from './pairing-settings.tsx';
import { QuietSettings } from './quiet-settings.tsx';
import { RuleSettings } from './rule-settings.tsx';
import { ScheduleSettings } from './schedule-settings.tsx';
import { type PageSection, SectionNav } from './section-nav.tsx';
import classes from './settings.module.css';
import { StartOver } from './start-over.tsx';

interface SettingsSection extends PageSection {
  Content: (props: { record: TrackedRecord }) => ReactNode;
}

const SECTIONS: readonly SettingsSection[] = [
  { id: 'name', title: 'Name', Content: GeneralSettings },
  { id: 'labels', title: 'Labels', Content: LabelSettings },
  { id: 'origin', title: 'Origin', Content: OriginSettings },
  { id: 'schedule', title: 'Schedule', Content: ScheduleSettings },
  { id: 'quiet', title: 'Quiet time', Content: QuietSettings },
  { id: 'key', title: 'Key and ignored fields', Content: RuleSettings },
  { id: 'rules', title: 'Rules for columns', Content: ColumnRulesSettings },
  { id: 'pairing', title: 'Edited rows', Content: PairingSettings },
  { id: 'format', title: 'Format', Content: FormatSettings },
  { id: 'start-over', title: 'Start over', Content: StartOver },
  { id: 'delete', title: 'Delete', Content: DeleteRecord },
];

export function Component() {
  const { data: record } = useRecord(useRecordRef());
  if (record === undefined) return <Skeleton h={600} />;
  return (
    <div className={classes['page']}>
      <SectionNav label="Sections of the settings" sections={SECTIONS} />
      <div>
        {SECTIONS.map(({ id, Content }) => (
          <div key={id} id={id} tabIndex={-1} className={classes['section']}>
            <Content record={record} />
          </div>
        ))}
      </div>
    </div>
  );
}
