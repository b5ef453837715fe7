// Tokens of download links: encrypted, so that they cannot be forged or changed, and short-lived. They work without a
// credential, as long as the credential that made them is valid (db/rows/download-links.ts).
import { hkdfSync } from 'node:crypto';
import type { CsvEscape } from '../export/csv-cell.ts';
import { decrypt, encrypt, type KeyEncryptionKeys } from './envelope.ts';

export interface DownloadGrant {
  snapshotId: string;
  format: 'csv' | 'jsonl';
  escape: CsvEscape;
  /** The selected rows, as JSON without line ends; null for all rows. */
  selection: string | null;
  /** Id of the API key or session that made the link. */
  credentialId: string;
  /** Milliseconds since the epoch, by the database's clock. */
  expiresAtMs: number;
}

const VERSION = 'download link v1';
const AAD = Buffer.from(VERSION);

/** @returns text that needs no escaping in a URL: about 250 characters, plus four for every three bytes of the selection */
export function sealDownload(keks: KeyEncryptionKeys, grant: DownloadGrant): string {
  const [kek] = keks.values();
  if (kek === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
  const { snapshotId, format, escape, selection, credentialId, expiresAtMs } = grant;
  const fields = JSON.stringify([snapshotId, format, escape, credentialId, expiresAtMs]);
  // The selection is JSON without line ends. Nested in the other JSON it would need escapes.
  const text = selection === null ? fields : `${fields}\n${selection}`;
  return encrypt(deriveKey(kek), Buffer.from(text), AAD).toString('base64url');
}

/** Links survive key rotation: the first key seals, all keys open. @returns undefined for an invalid token */
export function openDownload(keks: KeyEncryptionKeys, token: string): DownloadGrant | undefined {
  const blob = Buffer.from(token, 'base64url');
  // Several base64 texts decode to the same bytes. Accepts only the canonical one.
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
  // The ciphertext is authentic, so sealDownload wrote it.
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
