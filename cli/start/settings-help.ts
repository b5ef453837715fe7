// The settings as text for --help.
import { SETTINGS } from '../../core/config.ts';
import { START_DEFAULTS } from './child-settings.ts';

const WIDTH = 27;

/** One line per setting: name, meaning, and the default that holds under `start`. */
export function settingsHelp(): string {
  const lines = Object.values(SETTINGS).map(({ name, help, fallback }) => {
    const value = START_DEFAULTS[name] ?? fallback;
    const suffix = value === '' ? '' : ` (default: ${value})`;
    return `  ${name.padEnd(WIDTH)}${help}${suffix}`;
  });
  return ['', 'Settings, read from the environment:', ...lines].join('\n');
}
