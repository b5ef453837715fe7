// tasks/get, tasks/update and tasks/cancel of the extension io.modelcontextprotocol/tasks (SEP-2663), in revision 2026-07-28.
import { isId } from '../../../core/ids.ts';
import { findVisibleRecord } from '../../../db/records/visible-records.ts';
import { cancelTask, completeTask, findTask, type McpTask, takeLease } from '../../../db/usage/mcp-tasks.ts';
import { TOOLS } from '../tools/tools.ts';
import { mayUse } from './list-tools.ts';
import type { McpContext, Params } from './mcp-context.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';
import { resultOf } from './run-tool.ts';
import { answeredBy, type LongCall, presentTask, resumeTask } from './start-task.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export const TASK_METHODS = {
  'tasks/get': getTask,
  // No task of ours asks for input, and answers to nothing are ignored.
  'tasks/update': async (ctx: McpContext, params: Params) => {
    await openTask(ctx, params);
    return {};
  },
  'tasks/cancel': async (ctx: McpContext, params: Params) => {
    const { task } = await openTask(ctx, params);
    await cancelTask(ctx.db, task.id);
    await ctx.work.cancel(task.id);
    return {};
  },
} as const;

export type TaskMethodName = keyof typeof TASK_METHODS;

export const isTaskMethod = (name: unknown): name is TaskMethodName =>
  typeof name === 'string' && Object.hasOwn(TASK_METHODS, name);

/** As methodsIn, for a single message: this revision has no batches. */
export function taskMethodsIn(body: unknown): TaskMethodName[] {
  const { method } = (body ?? {}) as { method?: unknown };
  return isTaskMethod(method) ? [method] : [];
}

async function getTask(ctx: McpContext, params: Params): Promise<object> {
  const { task, call } = await openTask(ctx, params);
  const now = task.status === 'working' ? await goOn(ctx, task, call) : task;
  const shown = presentTask(now);
  if (now.result === null) return shown;
  const result = resultOf(ctx, { text: now.result, isError: now.isError });
  return { ...shown, result: { resultType: 'complete', ...result } };
}

/** Advances a running task as far as currently possible. */
async function goOn(ctx: McpContext, task: McpTask, call: LongCall): Promise<McpTask> {
  const { asTask } = call.tool;
  if (typeof asTask !== 'object') {
    if (await takeLease(ctx.db, task.id)) resumeTask(ctx, call, task.id);
    return task;
  }
  const answer = await asTask.look({ ...ctx, record: call.record }, task.arguments);
  if (answer === undefined) return task;
  await completeTask(ctx.db, task.id, await answeredBy(answer));
  return (await findTask(ctx.db, task.id, ctx.principal)) ?? task;
}

/** @throws RpcError for a client without the extension, and for a task that this caller does not have */
async function openTask(ctx: McpContext, { taskId }: Params): Promise<{ task: McpTask; call: LongCall }> {
  if (!ctx.hasTasks) throw missingExtension();
  const id = String(taskId);
  const task = isId('task', id) ? await findTask(ctx.db, id, ctx.principal) : undefined;
  const tool = TOOLS.find(({ name }) => name === task?.tool);
  const isAllowed = tool !== undefined && mayUse(ctx.principal, tool);
  if (task === undefined || !isAllowed) throw noTask();
  const record = await findVisibleRecord(ctx.db, ctx.principal, task.recordId);
  if (record === undefined) throw noTask();
  return { task, call: { tool, record, args: task.arguments } };
}

const noTask = (): RpcError => invalidParams('There is no such task, or it has expired.');

export const missingExtension = (): RpcError =>
  new RpcError(RPC_CODES.missingCapability, `The client does not declare the extension ${TASKS_EXTENSION}.`, {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });

/** Whether the client that sent this message of revision 2026-07-28 understands tasks. */
export function declaresTasks(body: unknown): boolean {
  // The message is not validated yet: any member may be missing.
  const { params } = (body ?? {}) as { params?: { _meta?: Readonly<Record<string, unknown>> | null } | null };
  const capabilities = params?._meta?.['io.modelcontextprotocol/clientCapabilities'] as
    { extensions?: Readonly<Record<string, unknown>> | null } | null | undefined;
  return capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;
}
