// The preference `wait` (RFC 7240, 4.3): how long a caller would rather wait than be answered early.

const MAX_WAIT_SECONDS = 60;

/** Seconds to wait; undefined when none, or not sensibly, asked for: a preference that is not understood is ignored. */
export function preferredWaitSeconds(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const [, digits] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,5})"?\s*(?:$|[,;])/i.exec(text) ?? [];
  const seconds = Number(digits ?? 0);
  return seconds > 0 ? Math.min(seconds, MAX_WAIT_SECONDS) : undefined;
}
