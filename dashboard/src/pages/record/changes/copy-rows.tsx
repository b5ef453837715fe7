// Copies the rows that are shown, as CSV or JSON.
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { MenuButton } from '../../../on-demand/menu-button.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import type { DeltaRow } from '../rows/delta-row.ts';
import { csvText, jsonText } from './delta-text.ts';

export function CopyRows({ rows, columns }: { rows: readonly DeltaRow[]; columns: readonly string[] }) {
  const { copy, copied, error } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <MenuButton
      entries={[
        { heading: `The ${counted(rows.length, 'row')} shown` },
        { title: 'Copy as CSV', onClick: () => copy(csvText(rows, columns, 'none')) },
        {
          title: 'Copy as CSV, safe to open in a spreadsheet',
          onClick: () => copy(csvText(rows, columns, 'spreadsheet')),
        },
        { title: 'Copy as JSON', onClick: () => copy(jsonText(rows)) },
        'divider',
        { note: 'As in the download, values that could start a formula get an apostrophe in front.' },
      ]}
      button={
        <Button variant="default" leftSection={<Icon size={16} aria-hidden />} disabled={rows.length === 0}>
          {copied ? 'Copied' : error === null ? 'Copy' : 'Not copied'}
        </Button>
      }
    />
  );
}
