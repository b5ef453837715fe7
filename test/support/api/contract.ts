// Checks answers against the OpenAPI document: path, method, status, headers, media type and body.
import type { Operation } from '../../../api/contract/operation.ts';
import { describeApi, type OpenApiDocument } from '../../../api/openapi/document.ts';
import { type Check, type CompiledSchemas, compileSchemas } from './schemas.ts';

export interface ObservedAnswer {
  method: string;
  /** Path and query. */
  url: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** Empty for none; undefined when it was not looked at. */
  text?: string;
}

/** Returns the faults of an answer. */
export type Contract = (answer: ObservedAnswer) => string[];

interface ResponseObject {
  $ref?: string;
  headers?: Readonly<Record<string, object>>;
  content?: Readonly<Record<string, { schema: object }>>;
}

const BASE_URL = 'https://recordwatch.example';

type Responses = Readonly<Record<string, ResponseObject>>;

/** Paths that belong to no operation. */
const BESIDE =
  /^\/(|healthz|readyz|docs(\/.*)?|dashboard(\/.*)?|v1\/openapi\.json|v1\/mcp|auth\/.*|oauth\/.*|notices\/.*|\.well-known\/.*)$/;

const contracts = new WeakMap<readonly Operation[], Contract>();

/** The contract of these operations. Test files in one process share what is compiled; no check depends on the base URL. */
export function contractOf(operations: readonly Operation[]): Contract {
  const contract = contracts.get(operations) ?? compileContract(describeApi(operations, BASE_URL));
  contracts.set(operations, contract);
  return contract;
}

function compileContract(document: OpenApiDocument): Contract {
  const schemas = compileSchemas(document);
  const find = compilePaths(document);
  return (answer) => {
    const path = answer.url.split('?')[0] ?? '';
    if (BESIDE.test(path) || answer.method === 'OPTIONS') return [];
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const item = find(path);
    const operation = item?.[method] as { responses: Responses } | undefined;
    if (operation === undefined) return faultsOfRefusal(answer, item !== undefined, schemas.named('Problem'));
    const declared = operation.responses[String(answer.status)];
    if (declared === undefined) return [`The status ${answer.status} is not declared`];
    return faultsOf(answer, resolve(document, declared), schemas);
  };
}

/** Finds the path item of a path. Of two templates that match, it takes the one with fewer parameters. */
function compilePaths(document: OpenApiDocument) {
  const items = Object.entries(document.paths)
    .map(([template, item]) => ({
      item,
      pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
      parameters: template.split('{').length,
    }))
    .sort((a, b) => a.parameters - b.parameters);
  return (path: string) => items.find(({ pattern }) => pattern.test(path))?.item;
}

function resolve(document: OpenApiDocument, response: ResponseObject): ResponseObject {
  const name = response.$ref?.replace('#/components/responses/', '');
  return name === undefined ? response : (document.components['responses']?.[name] ?? {});
}

/** The faults of a refusal: no operation has this path, or none with this method. */
function faultsOfRefusal(answer: ObservedAnswer, isKnownPath: boolean, problem: Check): string[] {
  // The host is checked before the path.
  const wanted = answer.status === 421 ? 421 : isKnownPath ? 405 : 404;
  if (answer.status !== wanted) return [`There is no such operation, but the status is ${answer.status}`];
  return answer.text === '' || answer.text === undefined ? [] : problem(JSON.parse(answer.text));
}

function faultsOf(answer: ObservedAnswer, response: ResponseObject, schemas: CompiledSchemas): string[] {
  const { method, headers, status, text } = answer;
  const undeclared = (status < 400 ? HEADERS : HEADERS_OF_ERRORS)
    .filter((name) => headers[name.toLowerCase()] !== undefined && response.headers?.[name] === undefined)
    .map((name) => `The header ${name} is not declared`);
  if (text === '' && method === 'HEAD') return undeclared;
  if (response.content === undefined) {
    return [...undeclared, ...(text === '' ? [] : ['No content is declared, and there is some'])];
  }
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const schema = response.content[type]?.schema;
  if (schema === undefined) return [...undeclared, `The media type ${type} is not declared`];
  if (text === undefined) return undeclared;
  const value: unknown = /[/+]json$/.test(type) ? JSON.parse(text) : text;
  return [...undeclared, ...schemas.check(schema)(value)];
}

/** The headers that carry a meaning of the API. The others belong to HTTP. */
const HEADERS_OF_ERRORS = [
  'X-Request-Id',
  'RateLimit',
  'X-RateLimit-Limit',
  'Retry-After',
  'WWW-Authenticate',
];
const HEADERS = [
  ...HEADERS_OF_ERRORS,
  'ETag',
  'Content-Disposition',
  'Preference-Applied',
  'Idempotent-Replayed',
  'Location',
  'Deprecation',
  'Sunset',
];
