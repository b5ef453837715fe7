// What to do about a failed check, by its error's code (docs/errors.md has the causes).
import type { components } from '../../client/schema.ts';

export const CHECK_ADVICE: Readonly<Record<string, string>> = {
  url_not_allowed: 'Use a URL that is reachable from the public internet.',
  credentials_unreadable: 'Enter the credentials of the origin again, in the settings.',
  origin_unreachable:
    'Check whether the URL opens elsewhere. If it does, the origin may block automated requests.',
  origin_timeout: 'This often passes. If it stays, ask the origin’s owner, or watch a smaller file.',
  http_error: 'Check whether the URL opens elsewhere, and whether the data has moved.',
  too_many_redirects: 'Use the URL at which the redirects end.',
  redirect_not_allowed: 'Use a URL that leads directly to the data.',
  body_too_large: 'Watch a smaller file, or put the record on a larger tier.',
  body_truncated: 'Usually the next check gets the whole file. If this stays, the file itself is damaged.',
  empty_body: 'Look at what the origin serves: a failed export often leaves an empty file.',
  unsupported_encoding: 'Have the origin send the data uncompressed, or as gzip, deflate, br or zstd.',
  encoding_invalid: 'Have the origin name the right character encoding, or send UTF-8.',
  unexpected_content:
    'The origin sent a web page: often a login or a consent page. Open the URL in a private window, and use the URL of the file itself.',
  header_unclear:
    'Set the line of the header in the settings, or 0 if the table has none. The delimiter may be wrong, too.',
  malformed_body: 'Correct the file at its origin, or set the right format and delimiter in the settings.',
  invalid_character: 'Correct the file at its origin.',
  missing_key_field: 'Choose other key fields in the settings, or restore the column.',
  too_many_rows: 'Watch a part of the data, or put the record on a larger tier.',
  too_many_columns: 'The delimiter may be wrong: set it in the settings.',
  row_too_large: 'Correct the file: a closing quote may be missing.',
  body_not_kept: 'Start over in the settings, then save the fields again.',
  key_repeated:
    'Set key fields that tell the rows apart, in the settings. Or accept the check: then the key is chosen again from its data.',
  sharp_drop:
    'Usually this is a broken export. Nothing is recorded unless a later check confirms the drop, or you accept it.',
  internal: 'This is a fault of the service, and has been logged. The next check may work.',
};

/** By the origin's HTTP status. */
const STATUS_ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\b40[13]\b/, 'The origin asks for credentials: enter them in the settings.'],
  [/\b4(04|10)\b/, 'The data has moved or is gone: change the URL in the settings.'],
  [/\b429\b/, 'The origin refuses so many requests: check less often.'],
  [/\b5\d\d\b/, 'The origin itself has a problem. Usually this passes.'],
];

/** One or two sentences; empty for an unknown code. */
export function adviceOn({ code, detail }: components['schemas']['CheckError']): string {
  const byStatus =
    code === 'http_error' ? STATUS_ADVICE.find(([pattern]) => pattern.test(detail)) : undefined;
  return byStatus?.[1] ?? CHECK_ADVICE[code] ?? '';
}
