// The declaration of an operation. REST routes and the OpenAPI document are derived from it.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { ApiErrorCode } from '../../core/errors.ts';
import type { Scope } from '../../core/principal.ts';
import { type Audit, type Audited, auditOf } from './audit.ts';
import type { Context, PublicContext } from './context.ts';

// The one type whose members are none: Record<string, never> would make every other field `never` too.
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type NoFields = Record<never, never>;
type Fields<P extends TProperties> = Static<TObject<P>>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface HttpRoute<Output, M extends Method = Method> {
  method: M;
  /** With `:name` for each of `params`; `:id` is the record. */
  path: string;
  /** Default: 200. */
  status?: number | ((output: Output) => number);
  /** All statuses that the function `status` may return. Required with a function. */
  statuses?: readonly number[];
}

/** Groups of the API reference. */
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

/** A feature of paid tiers, unlocked for the whole account. Anonymous sessions never have it. */
export interface Lock {
  feature: 'API keys' | 'Webhooks';
  /**
   * Accounts need the tier only for operations that create one: nothing stops working after a downgrade. With `except mails`
   * the operation decides it, because the body says what is created.
   */
  creates: boolean | 'except mails';
}

export interface Deprecation {
  since: Date;
  /** When the operation stops working. */
  sunset: Date;
  /** A page that says what to use instead. */
  link: string;
}

interface Description {
  name: string;
  tag: Tag;
  /** One line, for lists. */
  summary: string;
  /** Markdown. Does not repeat the summary. */
  description?: string;
  /** Codes that `run` may throw, apart from those that follow from the rest of the declaration. */
  errors?: readonly ApiErrorCode[];
  /** Requires a credential of the whole account, because it concerns more than one record. */
  accountOnly?: boolean;
  lock?: Lock;
  /** Members of the output that are shown once: a replayed response (Idempotency-Key) lacks them. */
  secrets?: readonly string[];
  deprecated?: Deprecation;
  /** Whether a key with the operation's scope may be the parameter `token` of the URL, for programs that send no headers. */
  takesTokenInUrl?: boolean;
  /** Whether `Prefer: wait=N` makes the response wait for the work. */
  mayWait?: boolean;
  /** Whether the response always waits for a workflow. */
  alwaysWaits?: boolean;
  /** Whether `Accept: text/event-stream` makes the response a stream of server-sent events (api/http/event-stream.ts). */
  mayStream?: boolean;
}

/** What an operation that may change something writes to the audit log; null for one that only reads. */
type Route<Output> =
  | { http: HttpRoute<Output, 'GET'>; audit?: never }
  | { http: HttpRoute<Output, Exclude<Method, 'GET'>>; audit: Audited | null };

interface Body<
  C,
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
  O extends TSchema,
> extends Description {
  params?: P;
  query?: Q;
  body?: B;
  output: O;
  run: (ctx: C & { audit: Audit }, input: Fields<P> & Fields<Q> & Fields<B>) => Promise<Static<O>>;
}

type Declaration<
  C,
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
  O extends TSchema,
> = Body<C, P, Q, B, O> & Route<Static<O>>;

interface OperationShape extends Description {
  readonly http: HttpRoute<unknown>;
  readonly audit?: Audited | null;
  readonly params: TObject;
  readonly query: TObject;
  /** Null: the operation takes no body. */
  readonly body: TObject | null;
  readonly output: TSchema;
}

/** An operation that requires a credential with this scope. */
export interface ScopedOperation extends OperationShape {
  readonly scope: Scope;
  readonly run: (ctx: Context, input: unknown) => Promise<unknown>;
}

/** An operation that requires no credential. */
export interface PublicOperation extends OperationShape {
  readonly scope: 'public';
  readonly run: (ctx: PublicContext, input: unknown) => Promise<unknown>;
}

export type Operation = ScopedOperation | PublicOperation;

/**
 * Declares an operation. Unknown fields are refused. Params, query and body reach `run` as one object, so their names must
 * differ.
 */
export function defineOperation<
  O extends TSchema,
  P extends TProperties = NoFields,
  Q extends TProperties = NoFields,
  B extends TProperties = NoFields,
>(declaration: Declaration<Context, P, Q, B, O> & { scope: Scope }): ScopedOperation {
  return { ...declaration, ...strictInput(declaration), run: withAudit(declaration) } as ScopedOperation;
}

/** Declares an operation that anyone may call. It must limit its own cost, by `ctx.address`. */
export function definePublicOperation<
  O extends TSchema,
  P extends TProperties = NoFields,
  Q extends TProperties = NoFields,
  B extends TProperties = NoFields,
>(declaration: Declaration<PublicContext, P, Q, B, O>): PublicOperation {
  const shape = { ...declaration, scope: 'public' as const, ...strictInput(declaration) };
  return { ...shape, run: withAudit(declaration) } as PublicOperation;
}

/** Gives the operation's `run` the function that writes its entry. */
function withAudit<
  C extends PublicContext & Partial<Pick<Context, 'principal'>>,
  Input,
  Output,
>(declaration: {
  name: string;
  audit?: Audited | null;
  run: (ctx: C & { audit: Audit }, input: Input) => Promise<Output>;
}): (ctx: C, input: Input) => Promise<Output> {
  return (ctx, input) => declaration.run({ ...ctx, audit: auditOf(declaration, ctx) }, input);
}

// The casts above erase the types of input and output. Routes and MCP validate the input against these schemas.
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
