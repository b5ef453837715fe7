// Copies the rows that are shown, as CSV or JSON.
import { Button, Menu, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { counted } from '../../../parts/figures/counted.ts';
import type { DeltaRow } from '../rows/delta-row.ts';
import { csvText, jsonText } from './delta-text.ts';

export function CopyRows({ rows, columns }: { rows: readonly DeltaRow[]; columns: readonly string[] }) {
  const { copy, copied, error } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon size={16} aria-hidden />} disabled={rows.length === 0}>
          {copied ? 'Copied' : error === null ? 'Copy' : 'Not copied'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>The {counted(rows.length, 'row')} shown</Menu.Label>
        <Menu.Item onClick={() => copy(csvText(rows, columns, 'none'))}>Copy as CSV</Menu.Item>
        <Menu.Item onClick={() => copy(csvText(rows, columns, 'spreadsheet'))}>
          Copy as CSV, safe to open in a spreadsheet
        </Menu.Item>
        <Menu.Item onClick={() => copy(jsonText(rows))}>Copy as JSON</Menu.Item>
        <Menu.Divider />
        <Text size="xs" c="dimmed" maw={290} px="sm" py={4}>
          As in the download, values that could start a formula get an apostrophe in front.
        </Text>
      </Menu.Dropdown>
    </Menu>
  );
}
