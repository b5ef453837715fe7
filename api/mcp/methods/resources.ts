// Resources, which a client can show or pin without a tool call. Each source has two: itself and its latest delta event.
// Reading one counts towards the rate limit, not towards the tool calls.
import { allows } from '../../../core/principal.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { findVisibleRecord } from '../../../db/records/visible-records.ts';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../contract/context.ts';
import { encodeJson } from '../../http/json.ts';
import { getLatestDeltaEvent } from '../../operations/changes/deltas.ts';
import { listRecords } from '../../operations/records/list-records.ts';
import { getOneRecord } from '../../operations/records/records.ts';
import type { Params } from './mcp-context.ts';
import { invalidParams } from './rpc-error.ts';

const MIME_TYPE = 'application/json';
const PAGE = 50;
const KEYS = 20;

const TEMPLATES = [
  {
    uriTemplate: 'delta://sources/{source}',
    name: 'source',
    title: 'A source',
    description: 'Settings of a source and the result of its last check. source is an id or a slug.',
    mimeType: MIME_TYPE,
  },
  {
    uriTemplate: 'delta://sources/{source}/delta/latest',
    name: 'latest_delta',
    title: 'The latest delta event of a source',
    description: 'What the last successful check found. source is an id or a slug.',
    mimeType: MIME_TYPE,
  },
];

const URI = /^delta:\/\/sources\/([A-Za-z0-9_-]{1,100})(\/delta\/latest)?$/;

export interface ResourceAddress {
  source: string;
  isLatestDelta: boolean;
}

/** Undefined if the URI names no resource. */
export function parseUri(uri: unknown): ResourceAddress | undefined {
  const [, source, latest] = URI.exec(String(uri)) ?? [];
  return source === undefined ? undefined : { source, isLatestDelta: latest !== undefined };
}

const mayRead = ({ principal }: Context): boolean => allows(principal.scope, 'read');

export async function listResources(ctx: Context, { cursor }: Params): Promise<object> {
  if (!mayRead(ctx)) return { resources: [] };
  const query = { limit: PAGE, ...(typeof cursor === 'string' ? { cursor } : {}) };
  // The operation's output.
  const { sources, nextCursor } = (await listRecords.run(ctx, query).catch(asInvalidParams)) as {
    sources: { id: string; slug: string; name: string }[];
    nextCursor: string | null;
  };
  const resources = sources.flatMap(({ id, slug, name }) => [
    { uri: `delta://sources/${id}`, name: slug, title: name, mimeType: MIME_TYPE },
    {
      uri: `delta://sources/${id}/delta/latest`,
      name: `${slug}/delta/latest`,
      title: `Latest changes of ${name}`,
      mimeType: MIME_TYPE,
    },
  ]);
  return { resources, ...(nextCursor === null ? {} : { nextCursor }) };
}

function asInvalidParams(error: unknown): never {
  if (error instanceof ApiError) throw invalidParams(error.message);
  throw error;
}

export async function listTemplates(_ctx: Context, { cursor }: Params): Promise<object> {
  if (cursor !== undefined && cursor !== '')
    throw invalidParams('There is only one page of templates: omit cursor.');
  return { resourceTemplates: TEMPLATES };
}

export async function readResource(ctx: Context, { uri }: Params): Promise<object> {
  const address = parseUri(uri);
  const record = address === undefined ? undefined : await findSource(ctx, address);
  if (address === undefined || record === undefined) throw noResource(uri);
  const call = { ...ctx, record };
  const output = await (
    address.isLatestDelta ? getLatestDeltaEvent.run(call, { keysLimit: KEYS }) : getOneRecord.run(call, {})
  ).catch((error: unknown) => {
    // Before the first check there is no event.
    if (error instanceof ApiError && error.code === 'not_found') throw noResource(uri);
    throw error;
  });
  return { contents: [{ uri, mimeType: MIME_TYPE, text: encodeJson(output) }] };
}

/** Finds the source of a resource, if the caller may see it. */
export async function findSource(
  ctx: Context,
  { source }: ResourceAddress,
): Promise<TrackedRecord | undefined> {
  return mayRead(ctx) ? findVisibleRecord(ctx.db, ctx.principal, source) : undefined;
}

const noResource = (uri: unknown) => invalidParams('Resource not found', { uri });
