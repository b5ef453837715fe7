// The OpenAPI 3.1 document, derived from the operations.
import type { Operation, Tag } from '../contract/operation.ts';
import { exampleOf } from './examples.ts';
import { HEADERS } from './headers.ts';
import { type JsonObject, nameSchemas } from './named-schemas.ts';
import { operationObject } from './operation-object.ts';
import { HEADER_PARAMETERS } from './parameters.ts';
import { nameProblemResponses } from './problem-responses.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { describeWebhooks } from './webhooks.ts';

/** @param baseUrl of the pages that it links to */
const introduction = (
  baseUrl: string,
): string => `Recordwatch watches data behind URLs and says exactly which rows are new, changed or deleted.

**Credentials.** Send a key or a token as \`Authorization: Bearer …\`. Use the narrowest one that does the work.
What a credential may not see is answered as if it did not exist.

**Errors** are problem documents (RFC 9457) with a stable \`code\`. Each code's cause and solution is described in
[docs/errors](${baseUrl}/docs/errors).

**Lists** come in pages: repeat the request with \`cursor=<nextCursor>\` while \`hasMore\` is true. Pages stay stable
while new data arrives.

**Repeating a request** is safe with an \`Idempotency-Key\`.

**Numbers and text** of your rows are returned as the origin wrote them: 1.10 stays 1.10, and long numbers keep every digit.

**Versions.** Everything under \`/v1\` stays compatible: members are added, never removed or given another meaning, so
ignore those that you do not know. Operations that will end announce it first in \`Deprecation\` and \`Sunset\` headers.`;

const TAGS: Readonly<Record<Tag, string>> = {
  Records: 'The watched data behind a URL. A record is addressed by its id or its slug.',
  Checks: 'Runs against a record’s origin, scheduled or on demand.',
  Changes: 'Delta events: which rows are new, changed (before and after) and deleted.',
  Snapshots: 'Every distinct version of a record’s data, to read, search and export.',
  Webhooks: 'Endpoints that receive every change.',
  'API keys':
    'Credentials of an account or of one record. A key is shown once and can be revoked at any time.',
  'Connected clients': 'MCP clients that were connected through OAuth.',
  Account: 'What the account uses, and its tier’s limits.',
  Sessions: 'Watch one record for 24 hours without an account, and keep it.',
};

export interface OpenApiDocument {
  openapi: string;
  info: JsonObject;
  servers: readonly JsonObject[];
  tags: readonly JsonObject[];
  /** By path template, then by method in lower case. */
  paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  webhooks: JsonObject;
  components: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
}

/** @param baseUrl the API's public address */
export function describeApi(operations: readonly Operation[], baseUrl: string): OpenApiDocument {
  const schemas = nameSchemas(exampleOf);
  const problems = nameProblemResponses(schemas, baseUrl);
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations) {
    const item = (paths[pathTemplate(operation)] ??= {});
    item[operation.http.method.toLowerCase()] = operationObject(operation, { schemas, problems, operations });
  }
  const webhooks = describeWebhooks(schemas);
  return {
    openapi: '3.1.1',
    info: { title: 'Recordwatch', version: '1', description: introduction(baseUrl) },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: schemas.all(),
      responses: problems.all(),
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** `/v1/sources/:id` becomes `/v1/sources/{id}`. */
export function pathTemplate({ http }: Pick<Operation, 'http'>): string {
  return http.path.replaceAll(/:(\w+)/g, '{$1}');
}
