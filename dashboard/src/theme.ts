// The theme: one accent, quiet greys, and a colour for each change type, the same everywhere.
import {
  createTheme,
  type CSSVariablesResolver,
  type DefaultMantineColor,
  type MantineTheme,
  rem,
} from '@mantine/core';

const overThePage = {
  closeButtonProps: { 'aria-label': 'Close' },
  // Mantine makes it a <header>, which would be a second banner of the page.
  attributes: { header: { role: 'presentation' } },
  styles: { title: { fontWeight: 600 } },
};

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(26), lineHeight: '1.35' },
      h2: { fontSize: rem(18), lineHeight: '1.45' },
      h3: { fontSize: rem(16), lineHeight: '1.5' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: overThePage },
    Drawer: { defaultProps: overThePage },
    Notification: {
      defaultProps: {
        closeButtonProps: overThePage.closeButtonProps,
        styles: { description: { color: 'var(--mantine-color-dimmed)' } },
      },
    },
  },
});

/** Mantine's quiet text, field errors, and coloured text on a tint of the same colour have too little contrast. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    ...deeperOnTints(theme),
    ...deeperUnderPointer(theme),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    ...deeperUnderPointer(theme),
  },
});

const deeperOnTints = (theme: MantineTheme): Variables =>
  ofEachColor(theme, (name) => [`${name}-light-color`, `color-mix(in srgb, var(${name}-9), black 30%)`]);

/** For filled buttons. Mantine's turn lighter. */
const deeperUnderPointer = (theme: MantineTheme): Variables =>
  ofEachColor(theme, (name) => [`${name}-filled-hover`, `color-mix(in srgb, var(${name}-9), black 12%)`]);

type Variables = Record<`--${string}`, string>;

const ofEachColor = (
  { colors }: MantineTheme,
  variableOf: (name: `--${string}`) => [`--${string}`, string],
): Variables =>
  Object.fromEntries(Object.keys(colors).map((color) => variableOf(`--mantine-color-${color}`)));

export type ChangeType = 'new' | 'changed' | 'deleted';

export const CHANGE_COLORS: Record<ChangeType, DefaultMantineColor> = {
  new: 'teal',
  changed: 'yellow',
  deleted: 'red',
};
