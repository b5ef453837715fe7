// The settings as text for --help.
import { SETTINGS } from '../../core/config.ts';

const WIDTH = 24;

/** One paragraph per setting: name, meaning, default. */
export function settingsHelp(): string {
  const lines = Object.values(SETTINGS).map(({ name, help, fallback }) => {
    const suffix = fallback === '' ? '' : ` (default: ${fallback})`;
    return `  ${name.padEnd(WIDTH)}${help}${suffix}`;
  });
  return ['', 'Settings, read from the environment:', ...lines].join('\n');
}
