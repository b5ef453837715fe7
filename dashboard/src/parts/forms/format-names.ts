// Formats as people write them.
import type { Format } from './record-draft.ts';

export const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  tsv: 'TSV',
  json: 'JSON',
  jsonl: 'JSON Lines',
};
