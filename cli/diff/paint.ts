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

/** With `auto` only a terminal gets colours, unless NO_COLOR is set (https://no-color.org). */
export function createPaint(choice: ColorChoice, stream: NodeJS.WriteStream = process.stdout): Paint {
  const isWanted = choice === 'auto' ? stream.isTTY && stream.hasColors() : choice === 'always';
  return isWanted
    ? (style, text) => styleText(STYLES[style], text, { validateStream: false })
    : (_style, text) => text;
}
