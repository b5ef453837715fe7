// A door to the workflows that records what passes: for tests of the API alone.
import type { RecordNews, WorkflowDoor } from '../../api/workflows.ts';
import { newTestId } from './factories.ts';

export interface RecordedDoor extends WorkflowDoor {
  calls: { name: RecordNews | 'created' | 'checkNow'; recordId: string }[];
  /** What happens when a check is asked for; may commit one. */
  onCheck: (recordId: string, checkId: string) => void | Promise<void>;
  /** Set: every call fails with it. */
  failure: Error | null;
}

export function recordingDoor(): RecordedDoor {
  const note = (name: RecordNews | 'created' | 'checkNow', recordId: string): void => {
    if (door.failure !== null) throw door.failure;
    door.calls.push({ name, recordId });
  };
  const door: RecordedDoor = {
    calls: [],
    onCheck: () => undefined,
    failure: null,
    startWatching: async (recordId) => note('created', recordId),
    tell: async (recordId, news) => note(news, recordId),
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
