// What the attempts of one process share: places at endpoints, connections to them, statements that record them.
import type { ActivityDeps } from '../deps.ts';
import { createEndpointAgents, type EndpointAgents } from './endpoint-agents.ts';
import { createEndpointShares, type EndpointShares } from './endpoint-shares.ts';
import { createRecorder, type RecordAttempt } from './record-attempt.ts';

export interface Sender extends ActivityDeps {
  shares: EndpointShares;
  agents: EndpointAgents;
  record: RecordAttempt;
}

export function createSender(deps: ActivityDeps): Sender {
  return {
    ...deps,
    shares: createEndpointShares(),
    agents: createEndpointAgents(deps.guard),
    record: createRecorder(deps),
  };
}
