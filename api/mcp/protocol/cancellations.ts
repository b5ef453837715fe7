// Cancelling tool calls and tasks: `notifications/cancelled` ends the call that it names, `tasks/cancel` the task, in whichever
// process it runs. A caller who disconnects ends a call, too: nobody can fetch its answer later.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  announceCancellations,
  listenForNotifications,
  type Listening,
} from '../../../db/driver/notifications.ts';
import type { Database } from '../../../db/driver/knex.ts';
import type { Services } from '../../contract/context.ts';
import { createGoneSignals } from '../../http/disconnect-signals.ts';
import type { Work } from '../methods/mcp-context.ts';

interface CallSignals {
  /** Ends waits: aborts with `cancelled`, and when the process is about to end. */
  signal: AbortSignal;
  /** Ends running statements. */
  cancelled: AbortSignal;
}

export interface Cancellations {
  signalsOf: (request: FastifyRequest, reply: FastifyReply) => CallSignals;
  work: Work;
  /** Ends the calls that the message cancels. */
  obey: (request: FastifyRequest) => Promise<void>;
  close: () => Promise<void>;
}

export function createCancellations(
  { db, log }: Pick<Services, 'db' | 'log'>,
  closing: AbortSignal,
): Cancellations {
  const running = createRunning();
  const goneOrClosing = createGoneSignals(closing);
  const gone = createGoneSignals(new AbortController().signal);
  let listening: Listening | undefined;
  const listen = (): Listening =>
    listenForNotifications(db, 'call_cancelled', {
      onNotification: (key) => void running.cancel(key),
      // Calls end by themselves.
      onGap: () => undefined,
      onError: (err) => log.error({ err }, 'cancellations from other processes do not arrive for now'),
    });
  const register = (key: string, call: AbortController): (() => void) => {
    listening ??= listen();
    return running.register(key, call);
  };
  const announce = createAnnouncer(db);
  const cancelAnywhere = async (keys: readonly string[]): Promise<void> => {
    const elsewhere = keys.filter((key) => !running.cancel(key));
    if (elsewhere.length > 0) await announce(elsewhere);
  };
  return {
    signalsOf: (request, reply) => {
      const [waiting, call] = [new AbortController(), new AbortController()];
      follow(waiting, goneOrClosing(reply));
      follow(waiting, call.signal);
      follow(call, gone(reply));
      const id = idOfCall(request.body);
      if (id !== undefined) reply.raw.once('close', register(keyOf(request, id), call));
      return { signal: waiting.signal, cancelled: call.signal };
    },
    work: {
      begin: (id) => {
        const controller = new AbortController();
        const abort = (): void => controller.abort();
        const unregister = register(id, controller);
        closing.addEventListener('abort', abort, { once: true });
        if (closing.aborted) abort();
        const end = (): void => {
          unregister();
          closing.removeEventListener('abort', abort);
        };
        return { signal: controller.signal, abort, end };
      },
      cancel: (id) => cancelAnywhere([id]),
    },
    obey: (request) => cancelAnywhere(idsToCancel(request.body).map((id) => keyOf(request, id))),
    close: async () => listening?.close(),
  };
}

/**
 * Announces cancellations to other processes, one statement at a time: those that come meanwhile share the next one. The commit
 * of a notification takes a server-wide lock, and anyone may cancel calls that do not run.
 */
function createAnnouncer(db: Database): (keys: readonly string[]) => Promise<void> {
  let last = Promise.resolve();
  let next: { keys: Set<string>; sent: Promise<void> } | undefined;
  const gather = (): { keys: Set<string>; sent: Promise<void> } => {
    const keys = new Set<string>();
    const send = (): Promise<void> => {
      next = undefined;
      return announceCancellations(db, [...keys]);
    };
    last = last.then(send, send);
    return { keys, sent: last };
  };
  return (keys) => {
    next ??= gather();
    for (const key of keys) next.keys.add(key);
    return next.sent;
  };
}

/** What runs in this process. */
interface Running {
  /** @returns the function to call at the end */
  register: (key: string, call: AbortController) => () => void;
  /** @returns whether something runs under this key */
  cancel: (key: string) => boolean;
}

function createRunning(): Running {
  const running = new Map<string, Set<AbortController>>();
  return {
    register: (key, call) => {
      const calls = running.get(key) ?? new Set();
      running.set(key, calls.add(call));
      return () => {
        calls.delete(call);
        if (calls.size === 0 && running.get(key) === calls) running.delete(key);
      };
    },
    cancel: (key) => {
      const calls = running.get(key) ?? new Set();
      // Two programs with one credential may use the same id at once. Then nobody can tell which call is meant.
      if (calls.size === 1) for (const call of calls) call.abort();
      return calls.size > 0;
    },
  };
}

function follow(controller: AbortController, signal: AbortSignal): void {
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort(), { once: true });
}

/** Requests have ids only within a program, and there are no sessions. This is what a program's requests have in common. */
const keyOf = ({ caller, address, headers }: FastifyRequest, id: unknown): string =>
  hash(
    'sha256',
    JSON.stringify([caller?.principal.credentialId, address, headers['user-agent'], id]),
    'base64url',
  );

interface Message {
  method?: unknown;
  id?: unknown;
  params?: { requestId?: unknown } | null;
}

/** The id of a tool call; undefined for other messages. */
function idOfCall(body: unknown): unknown {
  // The message is not validated yet: any member may be missing.
  const { method, id } = (body ?? {}) as Message;
  return method === 'tools/call' ? id : undefined;
}

/** More are of no use: a program has few calls at once. */
const MAX_CANCELLED = 20;

function idsToCancel(body: unknown): unknown[] {
  const messages = (Array.isArray(body) ? body : [body]) as (Message | null | undefined)[];
  return messages
    .filter((message) => message?.method === 'notifications/cancelled')
    .map((message) => message?.params?.requestId)
    .filter((id) => typeof id === 'string' || typeof id === 'number')
    .slice(0, MAX_CANCELLED);
}
