// Logs of the API: JSON on standard output, without query strings, headers or anything that looks like a credential.
import { type DestinationStream, type Logger, pino } from 'pino';
import { LOG_RULES, scrubLine } from '../../core/log-scrub.ts';
import { openStandardOutput } from '../../outbound/log-output.ts';
import { traceIds } from '../../telemetry/spans.ts';

export function createLogger(level: string, destination: DestinationStream = openOutput()): Logger {
  const scrubbed: DestinationStream = { write: (line) => destination.write(scrubLine(line)) };
  const serializers = { ...LOG_RULES.serializers, req: describeRequest };
  return pino({ level, base: { process: 'api' }, mixin: traceIds, ...LOG_RULES, serializers }, scrubbed);
}

/** Buffered: writing each line cost a tenth of a quick request. */
const openOutput = (): DestinationStream => openStandardOutput('api', 8_192);

/** Fastify's own description of a request includes the query string. */
function describeRequest({ method, url }: { method?: string; url?: string }): unknown {
  return { method, path: url?.split('?')[0] };
}
