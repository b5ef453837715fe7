// Log lines of the API: JSON on standard output, without query strings, headers or anything like a credential.
import { type DestinationStream, type Logger, pino } from 'pino';

const TOKEN = /cat_(live|src|eph)_[0-9A-Za-z]+/g;

export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const scrubbed: DestinationStream = {
    write: (line) => destination.write(line.replaceAll(TOKEN, 'cat_$1_[hidden]')),
  };
  return pino(
    {
      level,
      base: { process: 'api' },
      redact: ['*.authorization', '*.secret', '*.password'],
      serializers: { err: describeError, error: describeError },
    },
    scrubbed,
  );
}

/** Named members only: errors of the database carry values of rows in others. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { name, code, message, stack, cause: cause === undefined ? undefined : describeError(cause) };
}
