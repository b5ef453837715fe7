// Tells the workflows of backlogs that deliveries joined them, once for all that join within a moment: of an endpoint
// that hangs, every event tells.
import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityDeps } from '../deps.ts';
import { startBacklog } from './start-retry.ts';

/** What is there, and what is about to join, waits for a slow endpoint anyway. */
const GATHER_MS = 1_000;

/** @returns when the workflow was told, or left to reconciling; call it when the joining is committed */
export type StartBacklog = (webhookId: string) => Promise<void>;

export function createBacklogStarter(deps: ActivityDeps): StartBacklog {
  const gathering = new Map<string, Promise<void>>();
  const tell = async (webhookId: string): Promise<void> => {
    await pause(GATHER_MS);
    // From here on, who joins is perhaps not seen by the workflow that is told now.
    gathering.delete(webhookId);
    await startBacklog(deps, webhookId);
  };
  return (webhookId) => {
    const told = gathering.get(webhookId) ?? tell(webhookId);
    gathering.set(webhookId, told);
    return told;
  };
}
