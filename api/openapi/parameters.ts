// Parameters of an operation: those that it declares, and headers that follow from its declaration.
import type { TSchema } from 'typebox';
import type { Operation } from '../contract/operation.ts';
import type { JsonObject, NamedSchemas } from './named-schemas.ts';
import { isConditional, isRepeatable } from './possible-errors.ts';

/** Request headers, each described once among the components. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, ' +
      'without secrets that it contained. Another body with the same key is refused. Use a random UUID.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
    example: '7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of your copy: 304 without a body while it is up to date.',
    schema: { type: 'string' },
    example: '"5d8c72a5edda8d6a"',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'For a stream of events: the `id` of the last one that you have processed.',
    schema: { type: 'string' },
    example: 'eyJ2IjoxfQ.nP3xQk9s',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.',
    schema: { type: 'string' },
    example: 'wait=30',
  },
} as const satisfies Record<string, JsonObject>;

export function parametersOf(operation: Operation, schemas: NamedSchemas): JsonObject[] {
  const { params, query, mayWait = false, mayStream = false } = operation;
  const headers = [
    ...(isConditional(operation) ? (['IfNoneMatch'] as const) : []),
    ...(isRepeatable(operation) ? (['IdempotencyKey'] as const) : []),
    ...(mayWait ? (['Prefer'] as const) : []),
    ...(mayStream ? (['LastEventId'] as const) : []),
  ];
  return [
    ...Object.entries(params.properties).map(([name, schema]) =>
      parameter('path', name, true, schema, schemas),
    ),
    ...Object.entries(query.properties).map(([name, schema]) =>
      parameter('query', name, query.required?.includes(name) ?? false, schema, schemas),
    ),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function parameter(
  location: 'path' | 'query',
  name: string,
  required: boolean,
  { description, ...rest }: TSchema & { description?: string; type?: unknown },
  schemas: NamedSchemas,
): JsonObject {
  return {
    name,
    in: location,
    required,
    ...(description === undefined ? {} : { description }),
    // filter[price][gt]=10
    ...(rest.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema: schemas.refer(rest),
  };
}
