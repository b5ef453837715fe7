// A notice for a topic of ntfy, published as JSON: unlike headers, JSON holds any text.
import { bytesOf } from '../delivery-payload.ts';
import type { Notice } from './notice.ts';

/** A longer message becomes a file. */
const MOST_MESSAGE_BYTES = 4_096;

const TOPIC = /^\/([\w-]{1,64})$/;

/** The topic that a URL such as `https://ntfy.sh/my-topic` names; undefined when it names none. */
export const ntfyTopic = (url: string): string | undefined => TOPIC.exec(new URL(url).pathname)?.[1];

/** Where JSON is published: at the root, with the query of the topic's URL, which may hold a credential. */
export const ntfyServer = (url: string): string => new URL(`/${new URL(url).search}`, url).href;

export function ntfyBody({ title, summary, lines, link, isAlarm }: Notice, url: string): string {
  const message = lines.length === 0 ? summary : lines.join('\n');
  return JSON.stringify({
    topic: ntfyTopic(url),
    title,
    // The summary has one line, which always fits.
    message: bytesOf(message) <= MOST_MESSAGE_BYTES ? message : summary,
    click: link.url,
    priority: isAlarm ? 4 : 3,
  });
}
