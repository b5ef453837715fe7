// Compiled schemas of an OpenAPI document, stricter than for clients: undeclared members are faults.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { OpenApiDocument } from '../../../api/openapi/document.ts';

/** Describes the faults of a value. */
export type Check = (value: unknown) => string[];

export interface CompiledSchemas {
  /** The check of a schema in the document. */
  check: (schema: object) => Check;
  /** The check of a schema of the components. */
  named: (title: string) => Check;
}

const ID = 'https://openapi.example/document';

/** Compiles each schema when it is first used. */
export function compileSchemas(document: OpenApiDocument): CompiledSchemas {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  // In this CommonJS module the default export is the module itself.
  (formats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: ID, components: closed(document.components) });
  const compiled = new Map<object, Check>();
  const check = (schema: object): Check => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const validate = ajv.compile(absolute(closed(schema)));
    const made: Check = (value) => (validate(value) ? [] : (validate.errors ?? []).map(inWords));
    compiled.set(schema, made);
    return made;
  };
  const references = new Map<string, object>();
  const named = (title: string): Check => {
    const reference = references.get(title) ?? { $ref: `#/components/schemas/${title}` };
    references.set(title, reference);
    return check(reference);
  };
  return { check, named };
}

function inWords({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

/** Clients ignore unknown members. The tests refuse them, so that every member of an answer is declared. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isDeclared = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isDeclared ? { additionalProperties: false, ...copy } : copy;
}

function absolute(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${ID}#/`));
}
