// Labels as people type and read them: `name:value`.
import type { TrackedRecord } from './record-state.ts';

type Labels = TrackedRecord['labels'];

export const labelTexts = (labels: Labels): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}:${value}`);

/** A text without a colon is a name without a value, which the API refuses in words. */
export const labelsOf = (texts: readonly string[]): Labels =>
  Object.fromEntries(
    texts.map((text) => {
      const [name = '', ...value] = text.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
