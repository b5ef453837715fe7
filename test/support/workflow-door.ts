// Records the signals that the API would send to workflows, for tests of the API alone.
import type { RecordNews, WorkflowDoor } from '../../api/temporal/workflows.ts';
import { newTestId } from './factories.ts';

type CallName = RecordNews | 'created' | 'checkNow' | 'attemptNow' | 'sendBacklog' | 'previewRule';

export interface RecordedDoor extends WorkflowDoor {
  /** `id` of the record, delivery or webhook that the call is about. */
  calls: { name: CallName; id: string }[];
  /** What happens when a check is asked for; may commit one. */
  onCheck: (recordId: string, checkId: string) => void | Promise<void>;
  /** What a worker does that is asked to preview a rule. */
  onPreview: (previewId: string) => void | Promise<void>;
  /** Set: every call fails with it. */
  failure: Error | null;
}

export function recordingDoor(): RecordedDoor {
  const note = (name: CallName, id: string): void => {
    if (door.failure !== null) throw door.failure;
    door.calls.push({ name, id });
  };
  const door: RecordedDoor = {
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
      await door.onPreview(previewId);
    },
    ping: async () => {
      if (door.failure !== null) throw door.failure;
    },
    requestCheck: async (recordId) => {
      note('checkNow', recordId);
      const checkId = newTestId('check');
      await door.onCheck(recordId, checkId);
      return checkId;
    },
  };
  return door;
}
