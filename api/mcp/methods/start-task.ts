// Turns a call that takes long into a task: the client gets its id, and asks for the result later, from any process.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeId } from '../../../core/ids.ts';
import {
  completeTask,
  giveUpLease,
  insertTask,
  type McpTask,
  renewLease,
} from '../../../db/usage/mcp-tasks.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { fitAnswer } from '../answers/fit-answer.ts';
import type { Follow } from '../tools/tool.ts';
import type { McpContext, RunningWork } from './mcp-context.ts';
import { type Answered, failureOf, resultOf, runTool, type ToolCall } from './run-tool.ts';

/** Quicker answers need no task. */
const GRACE_MS = 1_000;
/** Enough for a client that lost its connection. */
const TTL_SECONDS = 3_600;
const MAX_OF_ACCOUNT = 100;
const RENEW_EVERY_MS = 10_000;
/** How often a client should ask. */
const POLL_MS = 1_000;

/** A call that may become a task: one of a source, which a task belongs to. */
export interface LongCall extends ToolCall {
  record: TrackedRecord;
}

/** @returns the result, or a task's id */
export async function answerOrTask(ctx: McpContext, call: LongCall): Promise<object> {
  const { asTask } = call.tool;
  return typeof asTask === 'object' ? followed(ctx, call, asTask) : rerunnable(ctx, call);
}

/** A read, which another process may run again. */
async function rerunnable(ctx: McpContext, call: LongCall): Promise<object> {
  const id = newTaskId();
  const work = ctx.work.begin(id);
  // Until there is a task, the call ends with its caller.
  const endWork = (): void => work.abort();
  ctx.cancelled?.addEventListener('abort', endWork, { once: true });
  if (ctx.cancelled?.aborted === true) work.abort();
  const running = runAsTask(ctx, call, work).finally(work.end);
  try {
    const quick = await Promise.race([running, sleep(GRACE_MS, undefined, { ref: false })]);
    const task = quick === undefined ? await insert(ctx, call, id, call.args, true) : undefined;
    if (task === undefined) return resultOf(ctx, await running);
    void keepUp(ctx, id, work, running);
    return presentNewTask(task);
  } finally {
    ctx.cancelled?.removeEventListener('abort', endWork);
  }
}

/** Work that runs outside this process. */
async function followed(ctx: McpContext, call: LongCall, { begin }: Follow): Promise<object> {
  const begun = await begin({ ...ctx, record: call.record }, call.args, GRACE_MS);
  const task =
    begun.follow === undefined ? undefined : await insert(ctx, call, newTaskId(), begun.follow, false);
  if (task !== undefined) return presentNewTask(task);
  return resultOf(ctx, await answeredBy(begun.answer));
}

/** @param answer of a tool */
export const answeredBy = async (answer: unknown): Promise<Answered> => ({
  text: await fitAnswer(undefined, async () => answer),
  isError: false,
});

const newTaskId = (): string => makeId('task', Date.now(), randomUUID());

function insert(
  { db, principal }: McpContext,
  { tool, record }: LongCall,
  id: string,
  args: object,
  isLeased: boolean,
): Promise<McpTask | undefined> {
  const { accountId, credentialId } = principal;
  return insertTask(
    db,
    { id, accountId, credentialId, recordId: record.id, tool: tool.name, arguments: args, isLeased },
    { ttlSeconds: TTL_SECONDS, max: MAX_OF_ACCOUNT },
  );
}

/** Never rejects. The request may be over, so only the work's own signal ends it. */
function runAsTask(ctx: McpContext, call: ToolCall, { signal }: RunningWork): Promise<Answered> {
  const { reportProgress: _unheard, ...rest } = ctx;
  const own = { ...rest, signal, cancelled: signal };
  return runTool(own, call).catch((error: unknown) => failureOf(own, call.tool, error));
}

/** Runs a task whose process has ended. */
export function resumeTask(ctx: McpContext, call: ToolCall, id: string): void {
  const work = ctx.work.begin(id);
  void keepUp(ctx, id, work, runAsTask(ctx, call, work).finally(work.end));
}

/** Holds the lease while the work runs, and stores its result. */
async function keepUp(
  { db, log }: McpContext,
  id: string,
  work: RunningWork,
  running: Promise<Answered>,
): Promise<void> {
  const onError = (err: unknown): void => log.error({ err, task: id }, 'a task could not be kept up');
  const timer = setInterval(() => {
    void renewLease(db, id)
      .then((isWorking) => isWorking || work.abort())
      .catch(onError);
  }, RENEW_EVERY_MS).unref();
  try {
    const answered = await running;
    // Either the task was cancelled, or the process ends and another one continues.
    if (work.signal.aborted) await giveUpLease(db, id);
    else await completeTask(db, id, answered);
  } catch (error) {
    onError(error);
  } finally {
    clearInterval(timer);
  }
}

const presentNewTask = (task: McpTask): object => ({ resultType: 'task', ...presentTask(task) });

export const presentTask = ({ id, status, createdAt, updatedAt, ttlMs }: McpTask): object => ({
  taskId: id,
  status,
  createdAt: createdAt.toISOString(),
  lastUpdatedAt: updatedAt.toISOString(),
  ttlMs,
  pollIntervalMs: POLL_MS,
});
