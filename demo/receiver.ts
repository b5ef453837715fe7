// The demonstration's webhook receiver: verifies each delivery's signature as a customer would, and records the result.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { close, listen } from './http-server.ts';

export interface Arrival {
  receivedAt: Date;
  /** The delivery's id, the same for each of its attempts. */
  webhookId: string;
  isVerified: boolean;
  /** Why the signature was refused. */
  reason?: string;
  /** The payload as parsed; undefined when the signature was refused. */
  payload?: { [field: string]: unknown };
}

export interface ReceiverOptions {
  port: number;
  /** The webhook's signing secret, with or without the prefix whsec_. */
  secret: string;
  onArrival?: (arrival: Arrival) => void;
}

export interface DemoReceiver {
  url: string;
  /** What has arrived, oldest first; the last hundred. */
  arrivals: readonly Arrival[];
  close: () => Promise<void>;
}

const KEPT_ARRIVALS = 100;

/** Starts the receiver on 127.0.0.1; port 0 takes any free one. It answers 204, or 401 to a bad signature. */
export async function startDemoReceiver({ port, secret, onArrival }: ReceiverOptions): Promise<DemoReceiver> {
  const webhook = new Webhook(secret);
  const arrivals: Arrival[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const arrival = await receive(request, webhook);
    arrivals.push(arrival);
    if (arrivals.length > KEPT_ARRIVALS) arrivals.shift();
    onArrival?.(arrival);
    response.writeHead(arrival.isVerified ? 204 : 401).end();
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const actualPort = await listen(server, port);
  return { url: `http://127.0.0.1:${actualPort}/deliveries`, arrivals, close: () => close(server) };
}

async function receive(request: IncomingMessage, webhook: Webhook): Promise<Arrival> {
  const body = await text(request);
  const header = (name: string) => String(request.headers[name] ?? '');
  const signed = {
    'webhook-id': header('webhook-id'),
    'webhook-timestamp': header('webhook-timestamp'),
    'webhook-signature': header('webhook-signature'),
  };
  const arrival = { receivedAt: new Date(), webhookId: signed['webhook-id'] };
  try {
    webhook.verify(body, signed);
    const payload: { [field: string]: unknown } = JSON.parse(body);
    return { ...arrival, isVerified: true, payload };
  } catch (error) {
    return { ...arrival, isVerified: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
