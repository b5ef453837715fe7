// Connections to endpoints, kept open between attempts. No two webhooks share a connection.
import { setMaxListeners } from 'node:events';
import { createGuardedAgent, type GuardedAgent } from '../../outbound/guarded-agent.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';

export interface EndpointAgents {
  /** Borrows the webhook's agent for one attempt. The guard checked the address of each connection when it was made. */
  borrow: (webhookId: string, url: string) => BorrowedAgent;
}

interface BorrowedAgent {
  agent: GuardedAgent;
  release: () => void;
}

interface Kept {
  agent: GuardedAgent;
  ending: AbortController;
  users: number;
  madeAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

/** Shorter than the idle timeout of most servers. An attempt fails if the server closes its connection meanwhile. */
const IDLE_MS = 2_000;
/** After this time names are resolved again. */
const LONGEST_USE_MS = 60_000;

export function createEndpointAgents(guard: OutboundGuard): EndpointAgents {
  const kept = new Map<string, Kept>();
  const end = (key: string, entry: Kept): void => {
    if (kept.get(key) === entry) kept.delete(key);
    entry.ending.abort();
    void entry.agent.destroy();
  };
  const open = (key: string): Kept => {
    const ending = new AbortController();
    // Every connection that is being opened adds a listener.
    setMaxListeners(0, ending.signal);
    const agent = createGuardedAgent(guard, ending.signal);
    const entry = { agent, ending, users: 0, madeAtMs: Date.now(), timer: undefined };
    kept.set(key, entry);
    return entry;
  };
  return {
    borrow: (webhookId, url) => {
      // A webhook with a new URL gets new connections.
      const key = `${webhookId} ${url}`;
      const known = kept.get(key);
      const entry = known !== undefined && isUsable(known) ? known : open(key);
      entry.users += 1;
      clearTimeout(entry.timer);
      const release = (): void => {
        entry.users -= 1;
        if (entry.users > 0) return;
        if (kept.get(key) !== entry) end(key, entry);
        else entry.timer = setTimeout(() => end(key, entry), IDLE_MS).unref();
      };
      return { agent: entry.agent, release };
    },
  };
}

const isUsable = ({ agent, madeAtMs }: Kept): boolean =>
  !agent.broken.aborted && Date.now() - madeAtMs < LONGEST_USE_MS;
