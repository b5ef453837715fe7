// A verb of the product, declared once. Every door (REST, the OpenAPI document) is derived from the declaration.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { ApiErrorCode } from '../../core/errors.ts';
import type { Scope } from '../../core/principal.ts';
import type { Context, PublicContext } from './context.ts';

// The one type whose members are none: Record<string, never> would make every other field `never` too.
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type NoFields = Record<never, never>;
type Fields<P extends TProperties> = Static<TObject<P>>;

interface HttpRoute<Output> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for each of `params`; `:id` is the record that the call is about. */
  path: string;
  /** 200 when not given. */
  status?: number | ((output: Output) => number);
  /** Every status that `status` may give; needed where it is a function. */
  statuses?: readonly number[];
}

/** Groups of the reference. */
export type Tag =
  | 'Records'
  | 'Checks'
  | 'Changes'
  | 'Snapshots'
  | 'Webhooks'
  | 'API keys'
  | 'Connected clients'
  | 'Account'
  | 'Sessions';

/** What a paid tier unlocks for the whole account; an ephemeral session has none of it. */
export interface Lock {
  feature: 'API keys' | 'Webhooks';
  /** Only making new ones is locked for accounts: nothing stops working on a downgrade. */
  creates: boolean;
}

export interface Deprecation {
  since: Date;
  /** When it stops working. */
  sunset: Date;
  /** A page that says what to use instead. */
  link: string;
}

interface Description {
  name: string;
  tag: Tag;
  /** A line for lists. */
  summary: string;
  /** Markdown: what the summary leaves out. */
  description?: string;
  /** Codes that `run` may throw; those that follow from the rest of the declaration need no mention. */
  errors?: readonly ApiErrorCode[];
  /** Only for a credential of the whole account: it is about more than one record. */
  accountOnly?: boolean;
  lock?: Lock;
  /** Members of the output that are shown once: left out when a repeated request is answered. */
  secrets?: readonly string[];
  deprecated?: Deprecation;
  /** Whether a caller may ask, with `Prefer: wait=N`, to be answered only when the work is done. */
  mayWait?: boolean;
}

interface Declaration<
  C,
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
  O extends TSchema,
> extends Description {
  http: HttpRoute<Static<O>>;
  params?: P;
  query?: Q;
  body?: B;
  output: O;
  run: (ctx: C, input: Fields<P> & Fields<Q> & Fields<B>) => Promise<Static<O>>;
}

interface Shape extends Description {
  readonly http: HttpRoute<unknown>;
  readonly params: TObject;
  readonly query: TObject;
  /** Null: the operation takes no body. */
  readonly body: TObject | null;
  readonly output: TSchema;
}

/** An operation for callers with a credential that has this scope. */
export interface ScopedOperation extends Shape {
  readonly scope: Scope;
  readonly run: (ctx: Context, input: unknown) => Promise<unknown>;
}

/** An operation that needs no credential. */
export interface PublicOperation extends Shape {
  readonly scope: 'public';
  readonly run: (ctx: PublicContext, input: unknown) => Promise<unknown>;
}

export type Operation = ScopedOperation | PublicOperation;

/**
 * Declares an operation. Unknown fields are refused everywhere; params, query and body reach `run` as one object,
 * so their names must differ.
 */
export function defineOperation<
  O extends TSchema,
  P extends TProperties = NoFields,
  Q extends TProperties = NoFields,
  B extends TProperties = NoFields,
>(declaration: Declaration<Context, P, Q, B, O> & { scope: Scope }): ScopedOperation {
  return { ...declaration, ...strictInput(declaration) } as ScopedOperation;
}

/** The same for an operation that anybody may call: what it does must bound itself, by `ctx.address`. */
export function definePublicOperation<
  O extends TSchema,
  P extends TProperties = NoFields,
  Q extends TProperties = NoFields,
  B extends TProperties = NoFields,
>(declaration: Declaration<PublicContext, P, Q, B, O>): PublicOperation {
  return { ...declaration, scope: 'public', ...strictInput(declaration) } as PublicOperation;
}

// The casts above erase the types of input and output: every door validates the input against these very schemas.
function strictInput(given: { params?: TProperties; query?: TProperties; body?: TProperties }) {
  return {
    params: strictObject(given.params ?? {}),
    query: strictObject(given.query ?? {}),
    body: given.body === undefined ? null : strictObject(given.body),
  };
}

function strictObject(properties: TProperties): TObject {
  return Type.Object(properties, { additionalProperties: false });
}
