// How everything looks: one accent, quiet greys, and a colour for each kind of change, the same everywhere.
import { createTheme, type DefaultMantineColor } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 7 },
  autoContrast: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
});

export type ChangeType = 'new' | 'changed' | 'deleted';

export const CHANGE_COLORS: Record<ChangeType, DefaultMantineColor> = {
  new: 'teal',
  changed: 'yellow',
  deleted: 'red',
};
