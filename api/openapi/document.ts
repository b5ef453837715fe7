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

**Credentials.** Send a key or a token as \`Authorization: Bearer …\`. The narrowest one that does the work is the best one.
What a credential may not see is answered like what does not exist.

**Errors** are problem documents (RFC 9457) with a stable \`code\`; each code's cause and cure stands under
[docs/errors](${baseUrl}/docs/errors).

**Lists** are read page by page: repeat the request with \`cursor=<nextCursor>\` while \`hasMore\` is true. Pages stay stable
while new data arrive.

**Repeating a request** is safe when it carries an \`Idempotency-Key\`.

**Numbers and texts** of your rows come as the origin wrote them: 1.10 stays 1.10, and no digit of a long number is lost.

**Versions.** Everything under \`/v1\` stays compatible: members are added, never taken away or given another meaning, so
ignore those that you do not know. What is going to end says so in \`Deprecation\` and \`Sunset\` headers first.`;

const TAGS: Readonly<Record<Tag, string>> = {
  Records: 'The data behind a URL that is watched. A record is addressed by its id or its slug.',
  Checks: 'Runs against a record’s origin, on schedule or asked for.',
  Changes: 'Delta events: which rows are new, changed (before and after) and deleted.',
  Snapshots: 'Every distinct version of a record’s data, to be read, searched and exported.',
  Webhooks: 'Endpoints that are told of every change.',
  'API keys':
    'Credentials of an account or of one record. A key is shown once and can be revoked at any time.',
  'Connected clients': 'MCP clients that were let in through OAuth.',
  Account: 'What the account uses of what its tier allows.',
  Sessions: 'Watching one record for 24 hours without an account, and keeping it.',
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
