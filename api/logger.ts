// Log lines of the API: JSON on standard output, without query strings, headers or anything like a credential.
import { type DestinationStream, type Logger, pino } from 'pino';

/** Also as a URL writes it: `_` may stand there as %5F. */
const TOKEN = /cat(?:_|%5f)(live|src|eph)(?:_|%5f)[0-9a-z]+/gi;
const TOKEN_PARAMETER = /\b((?:access_)?token=)[^\s&#"'\\]+/gi;
/** Causes of causes: enough for any that we make, and an end for those that go round in a circle. */
const MAX_CAUSES = 8;

export function createLogger(level: string, destination: DestinationStream = openOutput()): Logger {
  const scrubbed: DestinationStream = {
    write: (line) =>
      destination.write(line.replaceAll(TOKEN, 'cat_$1_[hidden]').replaceAll(TOKEN_PARAMETER, '$1[hidden]')),
  };
  return pino(
    {
      level,
      base: { process: 'api' },
      redact: ['*.authorization', '*.secret', '*.password'],
      serializers: {
        err: (error: unknown) => describeError(error),
        error: (error: unknown) => describeError(error),
        req: describeRequest,
      },
    },
    scrubbed,
  );
}

/** Standard output, written in pieces and not by the line, which cost a tenth of a quick request; all of it at exit. */
const openOutput = (): DestinationStream =>
  pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 });

/** Named members only: errors of the database carry values of rows in others. */
function describeError(error: unknown, causesLeft = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  const hasCause = cause !== undefined && causesLeft > 0;
  return { name, code, message, stack, cause: hasCause ? describeError(cause, causesLeft - 1) : undefined };
}

/** Fastify's own words for a request hold its query. */
function describeRequest({ method, url }: { method?: string; url?: string }): unknown {
  return { method, path: url?.split('?')[0] };
}
