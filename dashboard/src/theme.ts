// How everything looks: one accent, quiet greys, and a colour for each kind of change, the same everywhere.
import {
  createTheme,
  type CSSVariablesResolver,
  type DefaultMantineColor,
  type MantineTheme,
} from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
});

/** Mantine's own quiet text, and its coloured text on a light tint of the same colour, are too faint to be read by all. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    ...deeperOnTints(theme),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
  },
});

const deeperOnTints = ({ colors }: MantineTheme): Record<`--${string}`, string> =>
  Object.fromEntries(
    Object.keys(colors).map((name) => [
      `--mantine-color-${name}-light-color`,
      `color-mix(in srgb, var(--mantine-color-${name}-9), black 30%)`,
    ]),
  );

export type ChangeType = 'new' | 'changed' | 'deleted';

export const CHANGE_COLORS: Record<ChangeType, DefaultMantineColor> = {
  new: 'teal',
  changed: 'yellow',
  deleted: 'red',
};
