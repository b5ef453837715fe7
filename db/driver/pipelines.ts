// Connections that accept a statement while earlier ones still run. The statements of many calls go to PostgreSQL in one
// write, and their answers arrive in a few reads (docs/decisions/0032).
import { Socket } from 'node:net';
import pg from 'pg';
import { rowsOf } from './described-once.ts';

/** Few, because statements that share a connection share its writes. */
const USUAL_PIPELINES = 2;
/** A connection that has answered nothing for this long is stalled and gets no more statements. */
const STALLED_MS = 20;
/** Longer than any statement may run: the server is gone. */
const PATIENCE_MS = 30_000;

export interface Pipelines {
  /** @throws Error with the code ECONNRESET when the connection broke, or did not answer for too long */
  rows: <Row extends object>(statement: pg.QueryConfig) => Promise<Row[]>;
  /** Resolves when the statements under way are answered. */
  end: () => Promise<void>;
}

export interface PipelinesOptions {
  max: number;
  patienceMs?: number;
  /** Receives each connection once it is connected. */
  onConnect?: (client: pg.Client) => void;
}

interface Pipeline {
  client: pg.Client;
  /** Corked until all calls of this turn of the event loop have sent their statements. */
  socket: Socket;
  connected: Promise<unknown>;
  underWay: number;
  /** When the last answer arrived, or when the first statement was sent to an idle connection. */
  aliveAtMs: number;
}

/** Connects on first use. */
export function createPipelines(settings: pg.ClientConfig, options: PipelinesOptions): Pipelines {
  const { max, patienceMs = PATIENCE_MS, onConnect = () => undefined } = options;
  let pipelines: Pipeline[] = [];
  const drop = (pipeline: Pipeline): void => {
    pipelines = pipelines.filter((other) => other !== pipeline);
    pipeline.socket.destroy();
  };
  const open = (): Pipeline => {
    const pipeline = connect(settings);
    pipelines.push(pipeline);
    pipeline.connected.then(
      () => onConnect(pipeline.client),
      () => drop(pipeline),
    );
    pipeline.client.on('error', () => drop(pipeline)).on('end', () => drop(pipeline));
    return pipeline;
  };
  const choose = (): Pipeline => {
    for (const one of pipelines) if (one.socket.destroyed || silenceMs(one) > patienceMs) drop(one);
    const moving = pipelines.filter((one) => silenceMs(one) < STALLED_MS).slice(0, USUAL_PIPELINES);
    const [best] = (moving.length > 0 ? moving : pipelines).toSorted(byWork);
    const isBusy = best === undefined || best.underWay > 0;
    return isBusy && moving.length < USUAL_PIPELINES && pipelines.length < max ? open() : (best ?? open());
  };
  return {
    rows: (statement) => run(choose(), statement),
    end: async () => {
      // A statement that waits for the connection has not been sent yet.
      await Promise.allSettled(pipelines.map(({ connected }) => connected));
      await Promise.all(pipelines.map(({ client }) => client.end()));
    },
  };
}

const byWork = (left: Pipeline, right: Pipeline): number => left.underWay - right.underWay;

const silenceMs = ({ underWay, aliveAtMs }: Pipeline): number =>
  underWay === 0 ? 0 : performance.now() - aliveAtMs;

function connect(settings: pg.ClientConfig): Pipeline {
  const socket = new Socket();
  const client = new pg.Client({ ...settings, pipeline: true, stream: () => socket });
  return { client, socket, connected: client.connect(), underWay: 0, aliveAtMs: 0 };
}

async function run<Row extends object>(pipeline: Pipeline, statement: pg.QueryConfig): Promise<Row[]> {
  if (pipeline.underWay === 0) pipeline.aliveAtMs = performance.now();
  pipeline.underWay += 1;
  try {
    await pipeline.connected;
    sendTogether(pipeline.socket);
    return await rowsOf<Row>(pipeline.client, statement);
  } catch (cause) {
    if (isFatal(cause)) pipeline.socket.destroy();
    throw pipeline.socket.destroyed ? connectionError(cause) : cause;
  } finally {
    pipeline.underWay -= 1;
    pipeline.aliveAtMs = performance.now();
  }
}

/** Holds writes back until all statements of this turn of the event loop have been written. */
function sendTogether(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

/** After such an error PostgreSQL closes the connection, which may take a moment to arrive. */
function isFatal(cause: unknown): boolean {
  return cause instanceof Error && 'severity' in cause && cause.severity === 'FATAL';
}

/** The driver's own error for a broken connection has no code. */
function connectionError(cause: unknown): unknown {
  if (cause instanceof Error && 'code' in cause) return cause;
  return Object.assign(new Error('The connection to the database broke', { cause }), { code: 'ECONNRESET' });
}
