// What to do about a failed or held check, by its error code (docs/errors.md has the causes).
import type { components } from '../../client/schema.ts';

export const CHECK_ADVICE: Readonly<Record<string, string>> = {
  url_not_allowed: 'Use a URL that anyone on the internet can open.',
  credentials_unreadable: 'Enter the origin’s credentials again in the settings.',
  origin_unreachable:
    'Try to open the URL in a browser. If that works, the origin may be blocking automated requests.',
  origin_timeout:
    'This often goes away by itself. If it does not, ask the origin’s owner, or watch a smaller file.',
  http_error: 'Try to open the URL in a browser. The data may have moved.',
  too_many_redirects: 'Use the URL that the redirects lead to.',
  redirect_not_allowed: 'Use a URL that leads directly to the data, without a redirect.',
  body_too_large: 'Watch a smaller file, or move the record to a higher tier.',
  body_truncated:
    'The next check usually gets the whole file. If this keeps happening, the file itself is damaged.',
  empty_body: 'Open the URL and look at the file. A failed export often leaves an empty one.',
  unsupported_encoding:
    'The origin has to send the data uncompressed, or compressed with gzip, deflate, br or zstd.',
  encoding_invalid: 'The origin has to declare the right character encoding, or send UTF-8.',
  unexpected_content:
    'The origin sent a web page, often one that asks you to log in or to accept cookies. Open the URL in a private window, and use the URL of the file itself.',
  header_unclear:
    'In the settings, enter the line number of the header, or 0 if the table has no header. Check the delimiter too.',
  malformed_body:
    'Fix the file at its origin, or set the right format, delimiter and quotes in the settings.',
  invalid_character: 'Fix the file at its origin.',
  missing_key_field: 'Choose other key fields in the settings, or restore the column.',
  too_many_rows: 'Watch a part of the data, or move the record to a higher tier.',
  too_many_columns: 'The delimiter may be wrong. You can set it in the settings.',
  row_too_large: 'Fix the file. A closing quote may be missing.',
  body_not_kept: 'Choose Start over in the settings, then save the fields again.',
  key_repeated:
    'In the settings, choose key fields that tell the rows apart. Or accept the check, and a new key is chosen from its data.',
  sharp_drop:
    'This is usually a broken export. Nothing is recorded unless a later check confirms the drop or you accept it.',
  internal: 'Something went wrong in this service. It has been logged, and the next check may work.',
};

const ORIGIN_PROBLEM = 'The origin has a problem of its own. It usually goes away by itself.';
/** No answer of the API says whether the origin asked for a wait. */
const RETRY_AFTER =
  'If it asked for a longer wait than the interval (Retry-After), the next check on schedule comes after that wait, which is at most 24 hours.';

/** For `http_error`, by the status in the origin's answer. */
const STATUS_ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\b40[13]\b/, 'The origin asks for credentials. Enter them in the settings.'],
  [/\b4(04|10)\b/, 'The data has moved or is gone. Change the URL in the settings.'],
  [/\b429\b/, `The origin is getting too many requests. Check less often. ${RETRY_AFTER}`],
  [/\b503\b/, `${ORIGIN_PROBLEM} ${RETRY_AFTER}`],
  [/\b5\d\d\b/, ORIGIN_PROBLEM],
];

/** A few sentences; empty for an unknown code. */
export function adviceOn({ code, detail }: components['schemas']['CheckError']): string {
  const byStatus =
    code === 'http_error' ? STATUS_ADVICE.find(([pattern]) => pattern.test(detail)) : undefined;
  return byStatus?.[1] ?? CHECK_ADVICE[code] ?? '';
}
