// Log lines of the API: JSON on standard output, without query strings, headers or anything like a credential.
import { type DestinationStream, type Logger, pino } from 'pino';
import { LOG_RULES, scrubLine } from '../../core/log-scrub.ts';
import { openStandardOutput } from '../../outbound/log-output.ts';

export function createLogger(level: string, destination: DestinationStream = openOutput()): Logger {
  const scrubbed: DestinationStream = { write: (line) => destination.write(scrubLine(line)) };
  const serializers = { ...LOG_RULES.serializers, req: describeRequest };
  return pino({ level, base: { process: 'api' }, ...LOG_RULES, serializers }, scrubbed);
}

/** Written in pieces and not by the line, which cost a tenth of a quick request. */
const openOutput = (): DestinationStream => openStandardOutput('api', 8_192);

/** Fastify's own words for a request hold its query. */
function describeRequest({ method, url }: { method?: string; url?: string }): unknown {
  return { method, path: url?.split('?')[0] };
}
