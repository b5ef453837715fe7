// What all delivery attempts of one process share: concurrency limits, connections, opened secrets, batched writes.
import { createCursorCodec } from '../../core/crypto/cursor.ts';
import type { ActivityDeps, AttemptsUnderWay } from '../deps.ts';
import { createAttemptsUnderWay } from './attempts-under-way.ts';
import { createRecorder, createLeasePasser, type PassLease, type WriteAttempt } from './batched-writes.ts';
import { createBacklogStarter, type StartBacklog } from './start-delivery-workflows.ts';
import { createEndpointAgents } from './endpoint-agents.ts';
import { createEndpointSlots, type EndpointSlots } from './endpoint-slots.ts';
import { type AttemptDeps, createSecretOpener } from './make-attempt.ts';

export interface DeliveryDeps extends AttemptDeps {
  slots: EndpointSlots;
  record: WriteAttempt;
  passLease: PassLease;
  startBacklog: StartBacklog;
  underWay: AttemptsUnderWay;
}

export function createDeliveryDeps(deps: ActivityDeps): DeliveryDeps {
  const { db, config } = deps;
  const cursors = createCursorCodec(config.keyEncryptionKeys);
  return {
    ...deps,
    bodySources: { db, cursors, baseUrl: config.baseUrl },
    slots: createEndpointSlots(),
    agents: createEndpointAgents(deps.guard),
    openSecrets: createSecretOpener(deps.config.keyEncryptionKeys),
    record: createRecorder(deps),
    passLease: createLeasePasser(db),
    startBacklog: createBacklogStarter(deps),
    underWay: deps.underWay ?? createAttemptsUnderWay(deps),
  };
}
