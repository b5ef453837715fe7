// Keeps credentials and customers' data out of the logs of every process: hides members by name, reduces errors to known
// members, and finally scrubs tokens and URLs from the finished line.

/** In URLs `_` may be written as %5F. */
const TOKEN = /cat(?:_|%5f)(live|src|eph|dsh)(?:_|%5f)[0-9a-z]+/gi;
const TOKEN_PARAMETER = /\b((?:access_)?token=)[^\s&#"'\\]+/gi;
const URL_IN_LINE = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"\\<>]+)/gi;
const SECRET_NAME = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|\w*(?:secret|password|token))$/i;
const HIDDEN = '[hidden]';
/** Limit for nested causes and members, which also ends circular references. */
const MAX_DEPTH = 8;

/** Hides tokens anywhere in a finished line, and the credentials and query of every URL. */
export function scrubLine(line: string): string {
  // Most lines have neither, and searching for a string is a hundred times faster than for a pattern.
  const withoutUrls = line.includes('://')
    ? line.replaceAll(URL_IN_LINE, (_url, scheme: string, rest: string) => scheme + withoutSecrets(rest))
    : line;
  const scrubbed = withoutUrls.replaceAll(TOKEN, 'cat_$1_[hidden]');
  return scrubbed.includes('=') ? scrubbed.replaceAll(TOKEN_PARAMETER, `$1${HIDDEN}`) : scrubbed;
}

/** Options for pino: describes every Error, at any depth, and hides secrets by name. */
export const LOG_RULES = {
  serializers: { err: scrubValue, error: scrubValue },
  formatters: { log: scrubMembers },
};

function scrubMembers(members: object): { [name: string]: unknown } {
  return describeMembers(members, MAX_DEPTH);
}

function scrubValue(value: unknown): unknown {
  return describe(value, MAX_DEPTH);
}

function describeMembers(members: object, depthLeft: number): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) ? HIDDEN : describe(value, depthLeft),
    ]),
  );
}

function describe(value: unknown, depthLeft: number): unknown {
  if (value instanceof Error) return describeError(value, depthLeft);
  if (typeof value !== 'object' || value === null) return value;
  if (depthLeft === 0) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => describe(item, depthLeft - 1));
  // Other objects, such as dates, have their own JSON form.
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return isPlain ? describeMembers(value, depthLeft - 1) : value;
}

/** Known members only, because database errors have values of rows in others. */
function describeError(error: Error, depthLeft: number): object {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  const text = isOfDatabase(error) ? databaseWords(error) : { message, stack };
  const hasCause = cause !== undefined && depthLeft > 0;
  return { name, code, ...text, cause: hasCause ? describe(cause, depthLeft - 1) : undefined };
}

interface DatabaseError extends Error {
  code: string;
  severity: unknown;
  constraint?: unknown;
  table?: unknown;
  column?: unknown;
}

function isOfDatabase(error: Error): error is DatabaseError {
  return 'severity' in error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code));
}

/** knex puts the statement before PostgreSQL's message, with its values unless told not to; messages of class 22 contain a value themselves. */
function databaseWords({ message, stack = '', code, constraint, table, column }: DatabaseError): object {
  const own = code.startsWith('22') ? HIDDEN : message.split(' - ').at(-1);
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return { message: own, constraint, table, column, stack: frames.join('\n') };
}

/** @param rest of a URL after its scheme */
function withoutSecrets(rest: string): string {
  const authorityEnd = rest.includes('/') ? rest.indexOf('/') : rest.length;
  const userInfoEnd = rest.lastIndexOf('@', authorityEnd);
  const withoutUser = userInfoEnd < 0 ? rest : `${HIDDEN}${rest.slice(userInfoEnd)}`;
  return withoutUser.replace(/[?#].*/, `?${HIDDEN}`);
}
