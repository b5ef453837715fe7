// The demonstration's data: eight consecutive real versions of the SPDX licence list, as CSV.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface DemoVersion {
  /** Of the package that the list comes from: `6.5.0`. */
  version: string;
  /** Header row and one row per licence, sorted by id, LF line ends. */
  csv: string;
}

interface Licence {
  name: string;
  url: string;
  osiApproved: boolean;
}

const VERSIONS = ['6.5.0', '6.6.0', '6.7.0', '6.8.0', '6.9.0', '6.10.0', '6.11.0', '6.12.0'] as const;

const require = createRequire(import.meta.url);

/** All versions, oldest first. Each differs from the one before it. */
export function demoVersions(): DemoVersion[] {
  return VERSIONS.map((version) => ({ version, csv: readCsv(version) }));
}

function readCsv(version: string): string {
  // The file's shape is the package's contract: an object of licences by id.
  const licences: { [id: string]: Licence } = JSON.parse(
    readFileSync(require.resolve(`spdx-${version}/spdx.json`), 'utf8'),
  );
  const rows = Object.entries(licences)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { name, url, osiApproved }]) => [id, name, url, String(osiApproved)]);
  return [['id', 'name', 'url', 'osiApproved'], ...rows]
    .map((row) => `${row.map(quote).join(',')}\n`)
    .join('');
}

/** Quotes a cell where RFC 4180 asks for it. */
const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
