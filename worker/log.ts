// The worker's log: JSON lines on standard output, without credentials or customers' data.
import { type DestinationStream, type Logger, pino } from 'pino';
import { LOG_RULES, scrubLine } from '../core/log-scrub.ts';
import { openStandardOutput } from '../outbound/log-output.ts';
import { traceIds } from '../telemetry/spans.ts';

export function createLog(
  level: string,
  destination: DestinationStream = openStandardOutput('worker'),
): Logger {
  const scrubbed: DestinationStream = { write: (line) => destination.write(scrubLine(line)) };
  return pino({ level, base: { process: 'worker' }, mixin: traceIds, ...LOG_RULES }, scrubbed);
}
