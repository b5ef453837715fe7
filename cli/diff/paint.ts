// Colours for terminals.
import { styleText } from 'node:util';
import type { DeltaLine } from '../../core/export/delta-lines.ts';

export type Paint = (style: 'new' | 'changed' | 'deleted' | 'faint' | 'strong', text: string) => string;

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

const STYLES = { new: 'green', changed: 'yellow', deleted: 'red', faint: 'dim', strong: 'bold' } as const;

export const SIGNS: Readonly<Record<DeltaLine['changeType'], string>> = {
  new: '+',
  changed: '~',
  deleted: '-',
};

/** Without an empty NO_COLOR, which counts as not set. Node 22 takes it for set. */
function environment(): NodeJS.ProcessEnv {
  const { NO_COLOR, ...others } = process.env;
  return NO_COLOR === '' ? others : process.env;
}

/** With `auto` only a terminal gets colours, unless NO_COLOR is set (https://no-color.org). */
export function createPaint(choice: ColorChoice, stream: NodeJS.WriteStream = process.stdout): Paint {
  const isWanted = choice === 'auto' ? stream.isTTY && stream.hasColors(environment()) : choice === 'always';
  return isWanted
    ? (style, text) => styleText(STYLES[style], text, { validateStream: false })
    : (_style, text) => text;
}
