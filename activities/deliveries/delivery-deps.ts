// What all delivery attempts of one process share: concurrency limits, connections, opened secrets, batched writes.
import type { ActivityDeps, AttemptsUnderWay } from '../deps.ts';
import { createAttemptsUnderWay } from './attempts-under-way.ts';
import { createBacklogStarter, type StartBacklog } from './start-retry.ts';
import { createEndpointAgents } from './endpoint-agents.ts';
import { createEndpointShares, type EndpointShares } from './endpoint-shares.ts';
import { type AttemptDeps, createSecretOpener } from './make-attempt.ts';
import { createRecorder, type RecordAttempt } from './record-attempt.ts';

export interface DeliveryDeps extends AttemptDeps {
  shares: EndpointShares;
  record: RecordAttempt;
  startBacklog: StartBacklog;
  underWay: AttemptsUnderWay;
}

export function createDeliveryDeps(deps: ActivityDeps): DeliveryDeps {
  return {
    ...deps,
    shares: createEndpointShares(),
    agents: createEndpointAgents(deps.guard),
    openSecrets: createSecretOpener(deps.config.keyEncryptionKeys),
    record: createRecorder(deps),
    startBacklog: createBacklogStarter(deps),
    underWay: deps.underWay ?? createAttemptsUnderWay(deps),
  };
}
