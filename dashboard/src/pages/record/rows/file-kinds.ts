// The kinds of files that the API exports.

export interface FileKind {
  title: string;
  format: 'csv' | 'jsonl';
  escape: 'none' | 'spreadsheet';
}

export const FILE_KINDS: readonly FileKind[] = [
  { title: 'CSV', format: 'csv', escape: 'none' },
  { title: 'CSV, safe to open in a spreadsheet', format: 'csv', escape: 'spreadsheet' },
  { title: 'JSON Lines', format: 'jsonl', escape: 'none' },
];
