// Records the signals that the API would send to workflows, for tests of the API alone.
import type { RecordSignal, WorkflowClient } from '../../../api/temporal/workflows.ts';
import { newTestId } from '../rows/factories.ts';

type CallName =
  RecordSignal | 'created' | 'checkNow' | 'attemptNow' | 'sendBacklog' | 'previewRule' | 'previewRecord';

export interface RecordedWorkflows extends WorkflowClient {
  /** `id` of the record, delivery or webhook that the call is about. */
  calls: { name: CallName; id: string }[];
  /** Called when a check is requested; may commit one. */
  onCheck: (recordId: string, checkId: string) => void | Promise<void>;
  /** Acts as the worker that previews a rule or a record. */
  onPreview: (previewId: string) => void | Promise<void>;
  /** If set, every call fails with it. */
  failure: Error | null;
}

export function recordWorkflowCalls(): RecordedWorkflows {
  const note = (name: CallName, id: string): void => {
    if (workflows.failure !== null) throw workflows.failure;
    workflows.calls.push({ name, id });
  };
  const workflows: RecordedWorkflows = {
    calls: [],
    onCheck: () => undefined,
    onPreview: () => undefined,
    failure: null,
    startWatching: async (recordId) => note('created', recordId),
    tell: async (recordId, news) => note(news, recordId),
    attemptNow: async (deliveryId) => note('attemptNow', deliveryId),
    sendBacklog: async (webhookId) => note('sendBacklog', webhookId),
    previewRule: async (previewId) => {
      note('previewRule', previewId);
      await workflows.onPreview(previewId);
    },
    previewRecord: async (previewId) => {
      note('previewRecord', previewId);
      await workflows.onPreview(previewId);
    },
    ping: async () => {
      if (workflows.failure !== null) throw workflows.failure;
    },
    requestCheck: async (recordId) => {
      note('checkNow', recordId);
      const checkId = newTestId('check');
      await workflows.onCheck(recordId, checkId);
      return checkId;
    },
  };
  return workflows;
}
