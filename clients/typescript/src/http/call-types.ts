// The types of a call, derived from its method and path in the OpenAPI document.
import type { paths } from '../schema.ts';

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The paths that have a method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type OperationAt<M extends Method, P extends keyof paths> =
  paths[P] extends Record<M, infer Operation> ? Operation : never;

type JsonOf<Reply> = Reply extends { content: { 'application/json': infer Json } } ? Json : undefined;

/** What a successful call returns. */
export type AnswerOf<M extends Method, P extends keyof paths> =
  OperationAt<M, P> extends { responses: infer Replies }
    ? JsonOf<Replies[Extract<keyof Replies, 200 | 201 | 202 | 204>]>
    : never;

type ParametersOf<M extends Method, P extends keyof paths> =
  OperationAt<M, P> extends { parameters: infer Parameters } ? Parameters : never;

type PathPart<Parameters> = Parameters extends { path: infer Names } ? { path: Names } : { path?: never };
type QueryPart<Parameters> = Parameters extends { query?: infer Query }
  ? { query?: Query }
  : { query?: never };
type BodyPart<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body | undefined }
    : { body?: never };

/** What a call sends. */
export type Sent<M extends Method, P extends keyof paths> = PathPart<ParametersOf<M, P>> &
  QueryPart<ParametersOf<M, P>> &
  BodyPart<OperationAt<M, P>>;
