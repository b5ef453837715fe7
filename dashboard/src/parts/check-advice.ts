// What to do about a check that did not work, by its error's code (docs/errors.md has the causes).

export const CHECK_ADVICE: Readonly<Record<string, string>> = {
  url_not_allowed: 'Give the record a URL that is reachable from the public internet.',
  credentials_unreadable: 'Give the credentials of the origin anew, in the settings.',
  origin_unreachable:
    'See whether the URL opens elsewhere. If it does, the origin may block automated requests.',
  origin_timeout: 'Often this passes. If it stays, ask the origin’s owner, or watch a smaller file.',
  http_error:
    'The origin refused. 401 and 403: it wants credentials, which the settings take. 404 and 410: the data have moved, so change the URL. 429: check less often. 5xx: wait.',
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
    'Most often this is a broken export. A second check soon confirms the drop or finds the rows again; whoever knows better decides now.',
  internal: 'This is a fault of the service, and has been logged. The next check may work.',
};
