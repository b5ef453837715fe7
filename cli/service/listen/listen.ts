// Forwards the events of the feed to a URL on this machine, as a webhook would deliver them.
import type { FeedEvent } from '../../../clients/typescript/src/models.ts';
import { shownUrl } from '../../input/shown-url.ts';
import { createPaint, type Paint } from '../../diff/paint.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { EXIT } from '../../operator/fail.ts';
import { connect } from '../access/connect.ts';
import { findConnection } from '../access/connection.ts';
import { ENDLESS } from '../calls/open-client.ts';
import { eventLine } from '../changes/event-words.ts';
import { follow, untilInterrupted } from '../changes/follow.ts';
import { jsonLine, say } from '../output/answers.ts';
import type { Followed } from '../changes/when-deleted.ts';
import { deliveryOf, subjectOf } from './delivery.ts';
import type { FeedType } from '../changes/feed-types.ts';
import { findEvent } from './find-event.ts';
import { createForwarder, type Forwarder, type Sent } from './forward.ts';
import { keepIdentity } from './identity.ts';
import { readTarget } from './target.ts';

export interface ListenOptions {
  forwardTo?: string;
  allowRemote?: true;
  type: FeedType[];
  label: string[];
  condition?: string;
  since: string;
  replay?: string;
  printSecret?: true;
  json?: true;
}

export async function listen(references: readonly string[], options: ListenOptions): Promise<void> {
  const { webhookId, secret } = keepIdentity();
  if (options.printSecret === true) return say(secret);
  const target = readTarget(options.forwardTo ?? '', options.allowRemote === true);
  const client = connect();
  const records = await Promise.all(references.map((reference) => client.records.get(reference)));
  const forwarder = createForwarder(target, { secret, baseUrl: findConnection().url });
  const forward = (event: FeedEvent): Promise<Sent> => forwardOne(event, webhookId, forwarder, options);
  try {
    if (options.replay === undefined) {
      await followAndForward(records, { ...options, target: target.url, secret }, forward);
    } else {
      const ids = records.map(({ id }) => id);
      const { status } = await forward(await findEvent(client, options.replay, ids));
      if (!isSuccess(status)) process.exitCode = EXIT.failed;
    }
  } finally {
    await forwarder.close();
  }
}

export const isSuccess = (status: number | null): boolean =>
  status !== null && status >= 200 && status <= 299;

async function followAndForward(
  records: readonly Followed[],
  {
    type: types,
    label: labels,
    condition,
    since,
    target,
    secret,
  }: ListenOptions & { target: URL; secret: string },
  forward: (event: FeedEvent) => Promise<Sent>,
): Promise<void> {
  const choice = { since, records, types, labels, condition };
  const onReady = (): void => {
    console.error(`Ready. Events go to ${shownUrl(target)}\nSigning secret: ${secret}`);
  };
  for await (const event of follow(connect(ENDLESS), choice, onReady, untilInterrupted())) {
    await forward(event);
  }
}

/** An endpoint that fails gets the event again only when the user replays it. */
async function forwardOne(
  event: FeedEvent,
  webhookId: string,
  forwarder: Forwarder,
  { json }: ListenOptions,
): Promise<Sent> {
  const delivery = deliveryOf(event, webhookId);
  const sent = await forwarder.send(delivery);
  const { type, sourceId, sourceSlug, cursor } = event;
  const about = { cursor, deliveryId: delivery.id, type, sourceId, sourceSlug, eventId: subjectOf(event) };
  const paint = createPaint('auto');
  await say(json ? jsonLine({ ...about, ...sent }) : `${eventLine(event, paint)}  ${safeText(String(about.eventId))} → ${sentWords(sent, paint)}`); // prettier-ignore
  return sent;
}

export function sentWords({ status, durationMs, words }: Sent, paint: Paint): string {
  if (isSuccess(status)) return paint('new', `${status}, ${durationMs} ms`);
  const detail = words === null || words === '' ? '' : `: ${safeText(words)}`;
  return paint('deleted', `${status ?? 'no answer'}, ${durationMs} ms${detail}`);
}
