// Connections that take a statement while earlier ones are still under way: what many calls ask in one moment goes to
// PostgreSQL in one write, and comes back in a few reads (docs/decisions/0032).
import { Socket } from 'node:net';
import pg from 'pg';
import { rowsOf } from './described-once.ts';

/** Few: the more statements share one, the fewer writes there are. */
const USUAL_LANES = 2;
/** A lane that has answered nothing for so long is held up by some statement, and gets no more of them. */
const STALLED_MS = 20;
/** Longer than any statement may run: nobody is at the other end any more. */
const PATIENCE_MS = 30_000;

export interface Lanes {
  /** @throws Error with the code ECONNRESET when the connection broke, or gave no answer for too long */
  rows: <Row extends object>(statement: pg.QueryConfig) => Promise<Row[]>;
  /** Comes back when what was under way is answered. */
  end: () => Promise<void>;
}

export interface LanesOptions {
  max: number;
  patienceMs?: number;
  /** Hears of each connection when it is there. */
  onConnect?: (client: pg.Client) => void;
}

interface Lane {
  client: pg.Client;
  /** Corked until all calls of this moment have asked. */
  socket: Socket;
  connected: Promise<unknown>;
  underWay: number;
  /** Of the last answer, or of the statement that it began to work at. */
  aliveAtMs: number;
}

/** Connects on first use. */
export function createLanes(settings: pg.ClientConfig, options: LanesOptions): Lanes {
  const { max, patienceMs = PATIENCE_MS, onConnect = () => undefined } = options;
  let lanes: Lane[] = [];
  const drop = (lane: Lane): void => {
    lanes = lanes.filter((other) => other !== lane);
    lane.socket.destroy();
  };
  const open = (): Lane => {
    const lane = connect(settings);
    lanes.push(lane);
    lane.connected.then(
      () => onConnect(lane.client),
      () => drop(lane),
    );
    lane.client.on('error', () => drop(lane)).on('end', () => drop(lane));
    return lane;
  };
  const choose = (): Lane => {
    for (const lane of lanes) if (lane.socket.destroyed || silenceMs(lane) > patienceMs) drop(lane);
    const moving = lanes.filter((lane) => silenceMs(lane) < STALLED_MS).slice(0, USUAL_LANES);
    const [best] = (moving.length > 0 ? moving : lanes).toSorted(byWork);
    const isBusy = best === undefined || best.underWay > 0;
    return isBusy && moving.length < USUAL_LANES && lanes.length < max ? open() : (best ?? open());
  };
  return {
    rows: (statement) => run(choose(), statement),
    end: async () => {
      // Not in the middle of connecting: what waits for that has not asked yet.
      await Promise.allSettled(lanes.map(({ connected }) => connected));
      await Promise.all(lanes.map(({ client }) => client.end()));
    },
  };
}

const byWork = (left: Lane, right: Lane): number => left.underWay - right.underWay;

const silenceMs = ({ underWay, aliveAtMs }: Lane): number =>
  underWay === 0 ? 0 : performance.now() - aliveAtMs;

function connect(settings: pg.ClientConfig): Lane {
  const socket = new Socket();
  const client = new pg.Client({ ...settings, pipeline: true, stream: () => socket });
  return { client, socket, connected: client.connect(), underWay: 0, aliveAtMs: 0 };
}

async function run<Row extends object>(lane: Lane, statement: pg.QueryConfig): Promise<Row[]> {
  if (lane.underWay === 0) lane.aliveAtMs = performance.now();
  lane.underWay += 1;
  try {
    await lane.connected;
    sendTogether(lane.socket);
    return await rowsOf<Row>(lane.client, statement);
  } catch (cause) {
    if (isFarewell(cause)) lane.socket.destroy();
    throw lane.socket.destroyed ? brokenOff(cause) : cause;
  } finally {
    lane.underWay -= 1;
    lane.aliveAtMs = performance.now();
  }
}

/** Holds back what is written until all that arrived in this turn of the event loop has been looked at. */
function sendTogether(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

/** After it PostgreSQL hangs up, which may take a moment to arrive. */
function isFarewell(cause: unknown): boolean {
  return cause instanceof Error && 'severity' in cause && cause.severity === 'FATAL';
}

/** The driver says so in words only. */
function brokenOff(cause: unknown): unknown {
  if (cause instanceof Error && 'code' in cause) return cause;
  return Object.assign(new Error('The connection to the database broke', { cause }), { code: 'ECONNRESET' });
}
