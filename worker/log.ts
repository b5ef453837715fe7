// Log lines of the worker: JSON on standard output, without credentials.
import { type Logger, pino } from 'pino';

export function createLog(level: string): Logger {
  return pino({ level, base: { process: 'worker' }, redact: ['*.authorization', '*.secret', '*.password'] });
}
