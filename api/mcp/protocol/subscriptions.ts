// Subscriptions (subscriptions/listen). The library sends every event to every stream; this limits a stream to the resources
// that its caller may see, for as long as the credential is valid.
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { listenForNotifications, type Listening } from '../../../db/driver/notifications.ts';
import type { Context, Services } from '../../contract/context.ts';
import { findSource, parseUri } from '../methods/resources.ts';

export interface Subscriber {
  /** The subscribed resources by record, with the URIs as the caller wrote them. */
  uris: ReadonlyMap<string, readonly string[]>;
  /** Whether the credential is still valid. */
  stillWorks: () => Promise<boolean>;
  /** Ends the stream. */
  end: () => void;
}

type Deliver = (event: ServerEvent) => void;

export interface Subscriptions {
  bus: ServerEventBus;
  close: () => Promise<void>;
}

/** Interval of the credential checks of streams without events. */
const RECHECK_MS = 10_000;
const MAX_URIS = 100;

/** @param current the subscriber whose stream is being opened */
export function createSubscriptions(
  { db, log }: Pick<Services, 'db' | 'log'>,
  current: () => Subscriber | undefined,
  recheckMs: number = RECHECK_MS,
): Subscriptions {
  const open = new Map<Deliver, Subscriber>();
  let listening: Listening | undefined;
  const onError = (err: unknown) => log.error({ err }, 'subscriptions get no changes for now');
  const tell = (isConcerned: (recordId: string) => boolean): void => {
    for (const [deliver, subscriber] of open) {
      void deliverTo(subscriber, deliver, isConcerned).catch((error: unknown) => {
        onError(error);
        // It has missed a change. The client subscribes again, and reads.
        subscriber.end();
      });
    }
  };
  const tellAll = (): void => tell(() => true);
  const listen = (): Listening => {
    const started = listenForNotifications(db, 'record_changed', {
      onNotification: (recordId) => tell((id) => id === recordId),
      onGap: tellAll,
      onError,
    });
    // Changes before then sent no notification.
    void started.ready.then(tellAll);
    return started;
  };
  const recheck = setInterval(() => {
    for (const subscriber of open.values()) void endIfRevoked(subscriber).catch(onError);
  }, recheckMs).unref();
  return {
    bus: {
      // Events come only from the database.
      publish: () => undefined,
      subscribe: (deliver) => {
        const subscriber = current();
        if (subscriber === undefined) throw new Error('A stream was opened outside of a call');
        open.set(deliver, subscriber);
        listening ??= listen();
        return () => void open.delete(deliver);
      },
    },
    close: async () => {
      clearInterval(recheck);
      await listening?.close();
    },
  };
}

async function deliverTo(
  subscriber: Subscriber,
  deliver: Deliver,
  isConcerned: (recordId: string) => boolean,
): Promise<void> {
  const uris = [...subscriber.uris].flatMap(([id, those]) => (isConcerned(id) ? those : []));
  if (uris.length === 0 || !(await endIfRevoked(subscriber))) return;
  for (const uri of uris) deliver({ kind: 'resource_updated', uri });
}

/** @returns whether the stream continues */
async function endIfRevoked({ stillWorks, end }: Subscriber): Promise<boolean> {
  const isAllowed = await stillWorks();
  if (!isAllowed) end();
  return isAllowed;
}

interface ListenBody {
  id?: unknown;
  method?: unknown;
  params?: { notifications?: { resourceSubscriptions?: unknown; taskIds?: unknown } };
}

/** Whether the client asks for news of tasks. There are none, but only clients of the extension may ask. */
export const wantsTasks = ({ params }: ListenBody): boolean => params?.notifications?.taskIds !== undefined;

export const isListen = (body: unknown): body is ListenBody =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen';

/** The request with only those URIs that the caller may see, so that the acknowledgement is true. */
export async function readSubscription(
  ctx: Context,
  body: ListenBody,
): Promise<{ body: unknown; uris: Subscriber['uris'] }> {
  const asked: unknown = body.params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(asked)) return { body, uris: new Map() };
  const uris = new Map<string, string[]>();
  for (const uri of new Set<unknown>(asked.slice(0, MAX_URIS))) {
    const address = parseUri(uri);
    const record = address === undefined ? undefined : await findSource(ctx, address);
    if (record !== undefined) uris.set(record.id, [...(uris.get(record.id) ?? []), String(uri)]);
  }
  const notifications = { ...body.params?.notifications, resourceSubscriptions: [...uris.values()].flat() };
  return { body: { ...body, params: { ...body.params, notifications } }, uris };
}
