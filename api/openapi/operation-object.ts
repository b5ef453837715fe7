// The OpenAPI description of one operation.
import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import type { Operation } from '../contract/operation.ts';
import { EVENT_STREAM_TYPE } from '../http/event-stream.ts';
import { bodyExamples, fileExample } from './examples.ts';
import { type HeaderName, headerReferences, RATE_LIMIT_HEADERS } from './headers.ts';
import { linksOf } from './links.ts';
import type { JsonObject, NamedSchemas } from './named-schemas.ts';
import { parametersOf } from './parameters.ts';
import { isConditional, isRepeatable, possibleErrors } from './possible-errors.ts';
import type { ProblemResponses } from './problem-responses.ts';
import { accessInWords, securityOf } from './security.ts';

export interface Components {
  schemas: NamedSchemas;
  problems: ProblemResponses;
  /** All operations of the document. */
  operations: readonly Operation[];
}

export function operationObject(operation: Operation, components: Components): JsonObject {
  const { schemas, problems } = components;
  const { name, tag, summary, deprecated } = operation;
  return {
    operationId: name,
    tags: [tag],
    // Plain text, unlike descriptions.
    summary: summary.replaceAll('`', ''),
    description: descriptionOf(operation),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    ...accessOf(operation),
    parameters: parametersOf(operation, schemas),
    ...requestBody(operation, schemas),
    responses: {
      ...successes(operation, components),
      ...Object.fromEntries(
        [...possibleErrors(operation)].map(([status, codes]) => [status, problems.refer(codes)]),
      ),
    },
  };
}

function accessOf(operation: Operation): JsonObject {
  if (operation.scope === 'public') return { 'x-scope': 'public', security: [] };
  return { 'x-scope': operation.scope, security: securityOf(operation) };
}

function descriptionOf(operation: Operation): string {
  const { description, deprecated } = operation;
  const access = operation.scope === 'public' ? 'Needs no credential.' : accessInWords(operation);
  const end = deprecated?.sunset.toISOString().slice(0, 10);
  const farewell = deprecated && `Deprecated: stops working on ${end}. See ${deprecated.link}.`;
  return [farewell, description, access].filter((paragraph) => paragraph !== undefined).join('\n\n');
}

function requestBody({ name, body }: Operation, schemas: NamedSchemas): JsonObject {
  if (body === null) return {};
  const examples = bodyExamples(name);
  const schema = schemas.refer({ title: `${pascalCase(name)}Request`, ...body });
  return {
    requestBody: {
      // A missing body counts as `{}`, which is invalid if fields are required.
      required: (body.required ?? []).length > 0,
      content: {
        'application/json': {
          schema,
          examples: Object.fromEntries(
            Object.entries(examples).map(([summary, value], index) => [
              `example${index + 1}`,
              { summary, value },
            ]),
          ),
        },
      },
    },
  };
}

const WORDS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the work continues.',
  204: 'Done, without content.',
  304: 'Your copy is up to date.',
};

function successes(operation: Operation, { schemas, operations }: Components): JsonObject {
  const { http } = operation;
  const single = typeof http.status === 'number' ? http.status : 200;
  const statuses = [...(http.statuses ?? [single]), ...(isConditional(operation) ? [304] : [])];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: WORDS[status] ?? STATUS_CODES[status] ?? '',
        headers: headerReferences(headersOf(operation, status)),
        ...(status === 204 || status === 304
          ? {}
          : {
              content: { ...contentOf(operation, schemas), ...streamOf(operation) },
              ...linksMember(linksOf(operation, operations)),
            }),
      },
    ]),
  );
}

const streamOf = ({ mayStream = false }: Operation): JsonObject =>
  mayStream ? { [EVENT_STREAM_TYPE]: { schema: { type: 'string' } } } : {};

const linksMember = (links: JsonObject) => (Object.keys(links).length === 0 ? {} : { links });

function contentOf(operation: Operation, schemas: NamedSchemas): JsonObject {
  const { name, output } = operation;
  const mediaTypes = mediaTypesOf(output);
  if (mediaTypes === undefined) {
    // Not `…Response`: generators use that name for types of their own.
    const title = `${pascalCase(name)}Result`;
    return { 'application/json': { schema: schemas.refer({ title, ...output, ...requiredOf(operation) }) } };
  }
  return Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: { type: 'string' }, ...fileExample(name, type) }]),
  );
}

/** A replayed response (Idempotency-Key) lacks the secrets. */
function requiredOf(operation: Operation): JsonObject {
  const { required }: { required?: string[] } = operation.output;
  if (required === undefined || !isRepeatable(operation)) return {};
  return { required: required.filter((member) => operation.secrets?.includes(member) !== true) };
}

/** The media types of a file (api/http/files.ts); undefined for JSON. */
export function mediaTypesOf(output: TSchema & { contentMediaTypes?: unknown }): string[] | undefined {
  // Only fileSchema writes this member.
  return output.contentMediaTypes as string[] | undefined;
}

function headersOf(operation: Operation, status: number): HeaderName[] {
  const isFile = mediaTypesOf(operation.output) !== undefined;
  return [
    'X-Request-Id',
    ...RATE_LIMIT_HEADERS,
    ...(isConditional(operation) ? (['ETag'] as const) : []),
    ...(isFile && status !== 304 ? (['Content-Disposition'] as const) : []),
    ...(operation.mayWait === true ? (['Preference-Applied'] as const) : []),
    ...(isRepeatable(operation) ? (['Idempotent-Replayed'] as const) : []),
    ...(operation.deprecated === undefined ? [] : (['Deprecation', 'Sunset', 'Link'] as const)),
  ];
}

function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
