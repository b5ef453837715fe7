// Tokens of download links: encrypted, so that nobody can make or change one, and short-lived. They work without a
// credential, for as long as the one that they were made with (db/rows/download-links.ts).
import { hkdfSync } from 'node:crypto';
import type { CsvEscape } from '../export/csv-cell.ts';
import { decrypt, encrypt } from './aes-gcm.ts';
import type { KeyEncryptionKeys } from './envelope.ts';

export interface DownloadGrant {
  snapshotId: string;
  format: 'csv' | 'jsonl';
  escape: CsvEscape;
  /** Which rows, as JSON without line ends; null: all. */
  selection: string | null;
  /** Id of the API key or of the session that made the link. */
  credentialId: string;
  /** Milliseconds since the epoch, by the database's clock. */
  expiresAtMs: number;
}

const VERSION = 'download link v1';
const AAD = Buffer.from(VERSION);

/** @returns characters that need no escaping in a URL: some 250, and four for each three bytes of the selection */
export function sealDownload(keks: KeyEncryptionKeys, grant: DownloadGrant): string {
  const [kek] = keks.values();
  if (kek === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
  const { snapshotId, format, escape, selection, credentialId, expiresAtMs } = grant;
  const fields = JSON.stringify([snapshotId, format, escape, credentialId, expiresAtMs]);
  // JSON again, which holds no line end of its own; inside of the other it would grow.
  const text = selection === null ? fields : `${fields}\n${selection}`;
  return encrypt(deriveKey(kek), Buffer.from(text), AAD).toString('base64url');
}

/** Links outlive a rotation: the first key seals, all open. @returns undefined for what sealDownload did not make */
export function openDownload(keks: KeyEncryptionKeys, token: string): DownloadGrant | undefined {
  const blob = Buffer.from(token, 'base64url');
  // Base64 has spare bits: two texts can decode to the same bytes, and only one of them is ours.
  if (blob.toString('base64url') !== token) return undefined;
  for (const kek of keks.values()) {
    const plaintext = decrypt(deriveKey(kek), blob, AAD);
    if (plaintext !== undefined) return readFields(plaintext.toString());
  }
  return undefined;
}

function readFields(text: string): DownloadGrant {
  const end = text.indexOf('\n');
  const [fields, selection] = end === -1 ? [text, null] : [text.slice(0, end), text.slice(end + 1)];
  // Authentic, so it is what sealDownload wrote.
  const [snapshotId, format, escape, credentialId, expiresAtMs] = JSON.parse(fields) as [
    string,
    DownloadGrant['format'],
    CsvEscape,
    string,
    number,
  ];
  return { snapshotId, format, escape, selection, credentialId, expiresAtMs };
}

function deriveKey(kek: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', kek, '', VERSION, 32));
}
