// tools/call: validates the arguments, runs the tool and shortens its answer. Errors of the call are returned to the model,
// which can correct them; errors of the request go to the client.
import { ApiError, type FieldError } from '../../../core/errors.ts';
import type { Principal } from '../../../core/principal.ts';
import { TIERS } from '../../../core/tiers.ts';
import type { CountCall } from '../../../db/usage/count-calls.ts';
import { accountCallsSubject, sessionCallsSubject } from '../../../db/usage/usage-counters.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { findVisibleRecord } from '../../../db/records/visible-records.ts';
import type { McpContext, Params } from './mcp-context.ts';
import { invalidField, notFound } from '../../contract/errors.ts';
import { requireWorking } from '../../access/admission.ts';
import { requireOwnRecord } from '../../access/find-named.ts';
import { compileFaults } from '../../http/validation.ts';
import { inputOf, kindOfCredential, requireTool } from './list-tools.ts';
import { failureOf, resultOf, runTool } from './run-tool.ts';
import { answerOrTask } from './start-task.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';
import type { Tool } from '../tools/tool.ts';
import { TOOLS } from '../tools/tools.ts';

/**
 * Counts one call, successful or not.
 * @throws ApiError rate_limited when the limit is used up
 */
export async function takeCall(countCall: CountCall, principal: Principal): Promise<void> {
  const limit = TIERS[principal.tier].mcpCallsPerDay;
  if (principal.kind === 'ephemeral') {
    const { isTaken } = await countCall(sessionCallsSubject(principal.credentialId), 'ever', limit);
    if (isTaken) return;
    throw new ApiError(
      'rate_limited',
      `All ${limit} tool calls of this session are used. The REST API still works. To continue here, keep the record ` +
        'in an account (POST /v1/sources/self/keep) and connect with a key of that account.',
    );
  }
  const { isTaken, resetInSeconds } = await countCall(accountCallsSubject(principal.accountId), 'day', limit);
  if (isTaken) return;
  throw new ApiError(
    'rate_limited',
    `All ${limit} tool calls of this account for today are used. The next day begins at 00:00 UTC. A higher tier has ` +
      'more, and the REST API still works.',
    resetInSeconds === null ? {} : { retryAfterSeconds: resetInSeconds },
  );
}

type Arguments = Readonly<Record<string, unknown>>;

export async function callTool(ctx: McpContext, { name, arguments: given = {} }: Params): Promise<object> {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw invalidParams(`Unknown tool: ${String(name).slice(0, 100)}`);
  const startedAt = performance.now();
  const result = await answerToWorking(ctx, tool, given).catch((error: unknown) =>
    resultOf(ctx, failureOf(ctx, tool, error)),
  );
  const ms = Math.round(performance.now() - startedAt);
  ctx.toolCalls.push({ tool: tool.name, ms, isError: 'isError' in result });
  if (ctx.cancelled?.aborted === true)
    throw new RpcError(RPC_CODES.cancelled, 'The caller cancelled this call.');
  return result;
}

/** An answer that may have taken long is for a credential that still works. Its progress may be sent, so it has no status left. */
async function answerToWorking(ctx: McpContext, tool: Tool, given: unknown): Promise<object> {
  const result = await answer(ctx, tool, given);
  if (tool.slowly !== undefined) await requireWorking(ctx);
  return result;
}

async function answer(ctx: McpContext, tool: Tool, given: unknown): Promise<object> {
  requireTool(ctx.principal, tool);
  const { source, ...args } = readArguments(tool, kindOfCredential(ctx.principal), given);
  const record = tool.isOfSource ? await findSource(ctx, tool, source, args) : null;
  await takeCall(ctx.countCall, ctx.principal);
  if (ctx.hasTasks && tool.asTask !== undefined && record !== null) {
    return answerOrTask(ctx, { tool, record, args });
  }
  return resultOf(ctx, await runTool(ctx, { tool, record, args }));
}

/**
 * @returns null if the call is about all sources
 * @throws ApiError not_found; validation_failed when no source is named, and the call is about one
 */
async function findSource(
  ctx: McpContext,
  { allSourcesBy }: Tool,
  source: unknown,
  args: Arguments,
): Promise<TrackedRecord | null> {
  if (source === undefined && allSourcesBy !== undefined) {
    if (args[allSourcesBy] === true) return null;
    if (ctx.principal.kind === 'account') {
      throw invalidField('/source', 'required', `is required, unless ${allSourcesBy} is true`);
    }
  }
  const reference = typeof source === 'string' ? source : 'self';
  requireOwnRecord(ctx.principal, reference);
  // Admission has looked up the source of a single call already.
  const record =
    reference === ctx.reference ? ctx.record : await findVisibleRecord(ctx.db, ctx.principal, reference);
  if (record === null || record === undefined) throw notFound();
  return record;
}

/** The source that a tools/call message names; undefined for other messages. */
export function sourceOf(message: unknown): string | undefined {
  // The message is not validated yet: any member may be missing.
  const { params } = (message ?? {}) as { params?: { arguments?: { source?: unknown } } | null };
  const source = params?.arguments?.source;
  return typeof source === 'string' ? source : undefined;
}

/** Compiled once from TOOLS, which never change, so applications in one process can share it. */
const validators = new Map<string, (value: unknown) => FieldError[]>();

/** @throws ApiError validation_failed, with every error */
function readArguments(tool: Tool, kind: 'account' | 'record', value: unknown): Arguments {
  const id = `${kind} ${tool.name}`;
  const findFaults = validators.get(id) ?? compileFaults(inputOf(tool, kind), 'field');
  validators.set(id, findFaults);
  const errors = findFaults(value);
  if (errors.length > 0) throw new ApiError('validation_failed', 'The arguments are not valid.', { errors });
  // The schema above has checked that it is an object.
  return value as Arguments;
}
