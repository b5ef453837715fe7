// What to do about a check that did not work, by its error's code (docs/errors.md has the causes).
import type { components } from '../client/schema.ts';

export const CHECK_ADVICE: Readonly<Record<string, string>> = {
  url_not_allowed: 'Give the record a URL that is reachable from the public internet.',
  credentials_unreadable: 'Give the credentials of the origin anew, in the settings.',
  origin_unreachable:
    'See whether the URL opens elsewhere. If it does, the origin may block automated requests.',
  origin_timeout: 'Often this passes. If it stays, ask the origin’s owner, or watch a smaller file.',
  http_error: 'See whether the URL opens elsewhere, and whether the data have moved.',
  too_many_redirects: 'Give the record the URL at which the redirects end.',
  redirect_not_allowed: 'Give the record a URL that leads to the data directly.',
  body_too_large: 'Watch a smaller file, or put the record on a larger tier.',
  body_truncated: 'Usually the next check finds the whole file. If it stays, the file itself is damaged.',
  empty_body: 'See what the origin serves: an export that failed often leaves an empty file.',
  unsupported_encoding: 'Have the origin send the data uncompressed, or as gzip, deflate, br or zstd.',
  encoding_invalid: 'Have the origin name the right character encoding, or send UTF-8.',
  unexpected_content:
    'The origin sent a web page: often a login or a consent page. Open the URL in a private window, and give the record the URL of the file itself.',
  malformed_body: 'Correct the file at its origin, or set the right format and delimiter in the settings.',
  invalid_character: 'Correct the file at its origin.',
  missing_key_field: 'Choose other key fields in the settings, or bring the column back.',
  too_many_rows: 'Watch a part of the data, or put the record on a larger tier.',
  too_many_columns: 'Often the delimiter is wrong: set it in the settings.',
  row_too_large: 'Correct the file: often a quote is closed much too late.',
  body_not_kept: 'Save the fields again together with starting over, which begins anew with the next body.',
  sharp_drop:
    'Most often this is a broken export. Nothing of it is recorded unless the drop is confirmed, or you accept it.',
  internal: 'This is a fault of the service, and has been logged. The next check may work.',
};

/** By the status that the origin answered with. */
const STATUS_ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\b40[13]\b/, 'The origin wants to know who comes: give credentials in the settings.'],
  [/\b4(04|10)\b/, 'The data have moved or are gone: change the URL in the settings.'],
  [/\b429\b/, 'The origin finds this too often: check less often.'],
  [/\b5\d\d\b/, 'The origin is in trouble itself. Usually this passes.'],
];

/** What to do, in a sentence or two; empty for a code that is not known yet. */
export function adviceOn({ code, detail }: components['schemas']['CheckError']): string {
  const byStatus =
    code === 'http_error' ? STATUS_ADVICE.find(([pattern]) => pattern.test(detail)) : undefined;
  return byStatus?.[1] ?? CHECK_ADVICE[code] ?? '';
}
