// A verb of the product, declared once. Every door (REST now) is derived from the declaration.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Scope } from '../core/principal.ts';
import type { Context } from './context.ts';

// The one type whose members are none: Record<string, never> would make every other field `never` too.
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type NoFields = Record<never, never>;
type Fields<P extends TProperties> = Static<TObject<P>>;

export interface HttpDoor<Output> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for each of `params`. */
  path: string;
  /** 200 when not given. */
  status?: number | ((output: Output) => number);
}

interface Declaration<
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
  O extends TSchema,
> {
  name: string;
  scope: Scope;
  summary: string;
  http: HttpDoor<Static<O>>;
  params?: P;
  query?: Q;
  body?: B;
  /** Whether a caller may ask, with `Prefer: wait=N`, to be answered only when the work is done. */
  mayWait?: boolean;
  output: O;
  run: (ctx: Context, input: Fields<P> & Fields<Q> & Fields<B>) => Promise<Static<O>>;
}

export interface Operation {
  readonly name: string;
  readonly scope: Scope;
  readonly summary: string;
  readonly http: HttpDoor<unknown>;
  readonly params: TObject;
  readonly query: TObject;
  /** Null: the operation takes no body. */
  readonly body: TObject | null;
  readonly mayWait: boolean;
  readonly output: TSchema;
  readonly run: (ctx: Context, input: unknown) => Promise<unknown>;
}

/**
 * Declares an operation. Unknown fields are refused everywhere; params, query and body reach `run` as one object,
 * so their names must differ.
 */
export function defineOperation<
  O extends TSchema,
  P extends TProperties = NoFields,
  Q extends TProperties = NoFields,
  B extends TProperties = NoFields,
>(declaration: Declaration<P, Q, B, O>): Operation {
  const { params, query, body, mayWait = false, ...rest } = declaration;
  // Erases the types of input and output: every door validates the input against these very schemas first.
  return {
    ...rest,
    mayWait,
    params: strictObject(params ?? {}),
    query: strictObject(query ?? {}),
    body: body === undefined ? null : strictObject(body),
  } as Operation;
}

function strictObject(properties: TProperties): TObject {
  return Type.Object(properties, { additionalProperties: false });
}
