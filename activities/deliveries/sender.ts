// What the attempts of one process share: places at endpoints, connections to them, secrets, statements that record them.
import type { ActivityDeps } from '../deps.ts';
import { createBacklogStarter, type StartBacklog } from './backlog-starter.ts';
import { createEndpointAgents, type EndpointAgents } from './endpoint-agents.ts';
import { createEndpointShares, type EndpointShares } from './endpoint-shares.ts';
import { createSecretOpener, type OpenSecrets } from './opened-secrets.ts';
import { createRecorder, type RecordAttempt } from './record-attempt.ts';

export interface Sender extends ActivityDeps {
  shares: EndpointShares;
  agents: EndpointAgents;
  openSecrets: OpenSecrets;
  record: RecordAttempt;
  startBacklog: StartBacklog;
}

export function createSender(deps: ActivityDeps): Sender {
  return {
    ...deps,
    shares: createEndpointShares(),
    agents: createEndpointAgents(deps.guard),
    openSecrets: createSecretOpener(deps.config.keyEncryptionKeys),
    record: createRecorder(deps),
    startBacklog: createBacklogStarter(deps),
  };
}
