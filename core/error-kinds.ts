// The kind of an error in words that may leave the process: classes and codes, never a message, which may contain rows, URLs or
// statements with their values.

/** Causes of causes that are named. */
const MAX_CAUSES = 8;

export const typeOf = (error: unknown): string =>
  error instanceof Error ? error.constructor.name : typeof error;

/** The classes of an error and its causes, with their codes. */
export function kindsOf(error: unknown): string {
  const kinds: string[] = [];
  for (let at = error; at !== undefined && kinds.length < MAX_CAUSES; at = causeOf(at)) {
    const code = codeOf(at);
    kinds.push(code === undefined ? typeOf(at) : `${typeOf(at)} (${code})`);
  }
  return `${kinds.join(', caused by ')}. The worker’s log says more.`;
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** A code in the form of PostgreSQL's, Node's and our own. Any other text might be data. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^\w{1,40}$/.test(code) ? code : undefined;
}
