import { Validator } from '@seriousme/openapi-schema-validator';
import { Pointer } from 'typebox/value';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleEventData } from '../../../api/operations/webhooks/test-webhook.ts';
import { describeApi, type OpenApiDocument, pathTemplate } from '../../../api/openapi/document.ts';
import { mediaTypesOf } from '../../../api/openapi/operation-object.ts';
import { PAYLOADS } from '../../../api/openapi/payloads.ts';
import { possibleErrors } from '../../../api/openapi/possible-errors.ts';
import { BODIES, FILES, RESOURCES } from '../../../api/openapi/examples/records.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { deltaPayload, checkEventPayload } from '../../../core/delivery-payload.ts';
import { API_ERRORS, type ApiErrorCode } from '../../../core/errors.ts';
import { BODY_CONTENTS, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../core/deliveries.ts';
import { useApi } from '../../support/api/api.ts';
import { compileSchemas } from '../../support/api/schemas.ts';

const api = useApi();
const document = describeApi(OPERATIONS, 'https://recordwatch.example');
const schemas = compileSchemas(document);
const named = document.components['schemas'] ?? {};

interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  security: Record<string, string[]>[];
  parameters: { $ref?: string; name?: string; description?: string }[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
  responses: Record<string, { $ref?: string; content?: object; links?: Record<string, Link> }>;
}

interface Link {
  operationId: string;
  parameters: Record<string, string>;
}

const objectOf = (name: string): OperationObject => {
  const operation = OPERATIONS.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`There is no operation ${name}`);
  const method = operation.http.method.toLowerCase();
  // The generator's types are loose, and these tests check the document itself.
  return document.paths[pathTemplate(operation)]?.[method] as unknown as OperationObject;
};

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('is served to anybody, and may be cached', async () => {
    const first = await api.app.inject('/v1/openapi.json');
    expect(first.statusCode).toBe(200);
    expect(first.headers['cache-control']).toBe('public, max-age=300');
    const served: OpenApiDocument = first.json();
    expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths));
    const headers = { 'if-none-match': first.headers['etag'] };
    const again = await api.app.inject({ url: '/v1/openapi.json', headers });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it('names the address of the API', async () => {
    const { servers }: OpenApiDocument = (await api.app.inject('/v1/openapi.json')).json();
    expect(servers).toEqual([{ url: api.services.config.baseUrl }]);
  });

  it('has self-contained schemas', () => {
    const names = Object.keys(named);
    expect(names).toEqual(
      expect.arrayContaining(['Record', 'Check', 'DeltaEvent', 'Problem', 'DeltaPayload']),
    );
    for (const name of names) expect(() => schemas.named(name)({})).not.toThrow();
  });

  it('regression: has patterns that generators of other languages can use', () => {
    const patterns = new Set(
      [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) =>
        String(JSON.parse(text)),
      ),
    );
    expect(patterns.size).toBeGreaterThan(20);
    for (const pattern of patterns) {
      // Properties and braces of Unicode, and groups that look around, are not read everywhere.
      expect(pattern).not.toMatch(/\\[pP]|\\u\{|\(\?/);
      for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow();
    }
  });

  it('regression: uses no schema name that generators use for types of their own', () => {
    expect(Object.keys(named).filter((name) => name.endsWith('Response'))).toEqual([]);
  });

  it('refers to resources and repeats none', () => {
    const list = JSON.stringify(named['ListDeltaEventsResult']);
    expect(list).toContain('"items":{"$ref":"#/components/schemas/DeltaEvent"}');
  });
});

describe('links', () => {
  const answers = OPERATIONS.flatMap(({ name }) =>
    Object.values(objectOf(name).responses).map((answer) => ({ name, ...answer })),
  ).filter(({ links }) => links !== undefined);

  it('lead on from created and listed objects', () => {
    const origins = new Set(answers.map(({ name }) => name));
    const made = ['createRecord', 'createWebhook', 'createApiKey', 'createRecordApiKey'];
    const listed = OPERATIONS.filter(
      ({ http }) =>
        http.method === 'GET' && OPERATIONS.some((other) => other.http.path.startsWith(`${http.path}/:`)),
    );
    expect(listed.length).toBeGreaterThan(7);
    expect([...origins]).toEqual(expect.arrayContaining([...made, ...listed.map(({ name }) => name)]));
  });

  it.each(answers)('of $name find a value for every parameter of a path', ({ name, content, links = {} }) => {
    const { schema } = (content as Record<string, { schema: { $ref: string } }>)['application/json'] ?? {};
    const {
      examples: [example],
    } = named[schema?.$ref.split('/').at(-1) ?? ''] as { examples: unknown[] };
    const valueOf = (parameter: string, source: string): unknown => {
      const [, pointer] = /^\$response\.body#(.+)$/.exec(source) ?? [];
      if (pointer !== undefined) return Pointer.Get(example, pointer);
      const isSent = objectOf(name).parameters.some((each) => each.name === parameter);
      return isSent && source === `$request.path.${parameter}` ? 'what was sent' : undefined;
    };
    for (const [title, { operationId, parameters }] of Object.entries(links)) {
      expect(title).toBe(operationId);
      const target = OPERATIONS.find((each) => each.name === operationId);
      expect(Object.keys(parameters)).toEqual(Object.keys(target?.params.properties ?? {}));
      for (const [parameter, source] of Object.entries(parameters)) {
        expect(valueOf(parameter, source)).toEqual(expect.any(String));
      }
    }
  });
});

describe('examples', () => {
  it.each(Object.keys(named))('of %s are valid', (name) => {
    const { examples } = named[name] as { examples: unknown[] };
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(schemas.named(name)(example)).toEqual([]);
  });

  it.each(OPERATIONS.filter(({ body }) => body !== null).map(({ name }) => name))(
    'of the body of %s are there and valid',
    (name) => {
      const { examples = {} } = objectOf(name).requestBody?.content['application/json'] ?? {};
      expect(Object.keys(examples)).not.toEqual([]);
      const check = schemas.named(`${name.charAt(0).toUpperCase()}${name.slice(1)}Request`);
      for (const { value } of Object.values(examples)) expect(check(value)).toEqual([]);
    },
  );

  it('show every file', () => {
    for (const { name, output } of OPERATIONS) {
      expect(Object.keys(FILES[name] ?? {})).toEqual(mediaTypesOf(output) ?? []);
    }
  });

  it('leave no placeholder', () => {
    const unfinished = Object.keys(named).filter((name) =>
      JSON.stringify((named[name] as { examples: unknown[] }).examples).includes('"text"'),
    );
    // A new resource needs an example in api/openapi/examples/records.ts.
    expect(unfinished).toEqual([]);
  });

  it('are all used', () => {
    const names = Object.keys(named);
    expect(Object.keys(RESOURCES).filter((title) => !names.includes(title))).toEqual([]);
    const operations = OPERATIONS.map(({ name }) => name);
    const told = [...Object.keys(BODIES), ...Object.keys(FILES)];
    expect(told.filter((name) => !operations.includes(name))).toEqual([]);
  });

  it('of errors are problem documents', () => {
    for (const response of Object.values(document.components['responses'] ?? {})) {
      const { content } = response as {
        content: Record<string, { examples: Record<string, { value: object }> }>;
      };
      const examples = Object.values(content['application/problem+json']?.examples ?? {});
      expect(examples).not.toEqual([]);
      for (const { value } of examples) expect(schemas.named('Problem')(value)).toEqual([]);
    }
  });
});

describe('operations', () => {
  it('have unique names', () => {
    const names = OPERATIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(OPERATIONS)('$name is described', (operation) => {
    const { name, summary, scope, params, query, body } = operation;
    const described = objectOf(name);
    expect(described).toMatchObject({ operationId: name, 'x-scope': scope });
    expect(described.summary).toBe(summary.replaceAll('`', ''));
    expect(described.security[0]).toEqual(scope === 'public' ? undefined : { AccountKey: [scope] });
    const inOrder = described.parameters.filter(({ $ref }) => $ref === undefined);
    expect(inOrder.map(({ name: parameter }) => parameter)).toEqual([
      ...Object.keys(params.properties),
      ...Object.keys(query.properties),
    ]);
    expect(described.requestBody !== undefined).toBe(body !== null);
  });

  it.each(OPERATIONS)('$name documents each of its errors', (operation) => {
    const told = Object.keys(objectOf(operation.name).responses).map(Number);
    const possible = [...possibleErrors(operation)];
    expect(told).toEqual(expect.arrayContaining(possible.map(([status]) => status)));
    const codes = possible.flatMap(([, those]) => those);
    expect(codes).toEqual(
      expect.arrayContaining([...(operation.errors ?? []), 'internal', 'invalid_parameter']),
    );
  });

  it.each([
    ['listDeltaEvents', 50, 200],
    ['listDeltaRows', 1_000, 5_000],
    ['listSnapshotRows', 20, 100],
    ['listSnapshots', 100, 100],
  ])('interface 8: %s documents its limits', (name, fallback, max) => {
    const { description } = objectOf(name).parameters.find((parameter) => parameter.name === 'limit') ?? {};
    expect(description).toContain(`: ${fallback} by default, ${max} at most (more counts as ${max}).`);
  });

  it('document every error, except those of no operation', () => {
    const told = new Set(OPERATIONS.flatMap((operation) => [...possibleErrors(operation).values()].flat()));
    // Malformed HTTP and wrong methods belong to no operation.
    const ofNone: ApiErrorCode[] = ['bad_request', 'method_not_allowed'];
    const codes = Object.keys(API_ERRORS);
    expect(codes.filter((code) => !ofNone.some((none) => none === code))).toEqual(
      codes.filter((code) => [...told].some((each) => each === code)),
    );
  });
});

describe('webhooks', () => {
  const record = { webhookId: 'wh_1', recordId: 'src_1', recordName: 'Prices', recordSlug: 'prices' };
  const faultsOf = (eventType: WebhookEventType, body: string) => {
    // Each was made with one, which its type does not say.
    const { title } = PAYLOADS[eventType] as unknown as { title: string };
    return schemas.named(title)(JSON.parse(body));
  };

  it('interface 6.1: the payload equals that of deliveries', () => {
    const payload = deltaPayload(
      record,
      {
        deltaEventId: 'evt_1',
        snapshotId: 'snap_1',
        detectedAt: new Date(0),
        newCount: 1,
        changedCount: 0,
        deletedCount: 0,
        unchangedCount: 2,
        totalCount: 3,
        newKeys: ['a'],
        changedKeys: [],
        deletedKeys: [],
      },
      'https://recordwatch.example',
    );
    expect(faultsOf('delta', payload)).toEqual([]);
    expect(Object.keys(JSON.parse(payload))).toEqual(Object.keys(RESOURCES['DeltaPayload'] ?? {}));
  });

  it.each(
    WEBHOOK_EVENT_TYPES.flatMap((eventType) => BODY_CONTENTS.map((include) => [eventType, include] as const)),
  )('examples of %s with %s are sent as the schema says', (eventType, include) => {
    const eventData = exampleEventData(eventType, { recordId: 'src_1', include }, api.services);
    const news = { eventType, happenedAt: new Date(0), eventData: JSON.stringify(eventData) };
    expect(faultsOf(eventType, checkEventPayload(record, news))).toEqual([]);
    expect('rows' in eventData).toBe(eventType === 'delta' && include === 'rows');
  });

  it.each(WEBHOOK_EVENT_TYPES)('%s documents the headers of Standard Webhooks', (eventType) => {
    const { post } = document.webhooks[eventType] as { post: { parameters: { name: string }[] } };
    expect(post.parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  });
});

describe('/docs', () => {
  let html = '';
  beforeAll(async () => {
    html = (await api.app.inject('/docs')).body;
  });

  it('is served with all its parts from this server', async () => {
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      expect(link).toMatch(/^(docs|v1)\//);
      const { statusCode, body } = await api.app.inject(`/${link}`);
      expect(statusCode).toBe(200);
      expect(body.length).toBeGreaterThan(100);
    }
  });

  it('may run only its own code', async () => {
    const { headers } = await api.app.inject('/docs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  });

  it('shows this document', async () => {
    expect((await api.app.inject('/docs/page.js')).body).toContain("'v1/openapi.json'");
  });
});
