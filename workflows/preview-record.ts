// Previews a record that does not exist yet. The API starts it; one activity answers.
import type { PreviewRecordInput } from './contract.ts';
import { PREVIEW, previews } from './proxies.ts';

/** The activity writes the answer to Postgres. The API sets the timeout of the workflow. */
export function previewRecord({ previewId }: PreviewRecordInput): Promise<void> {
  return previews.previewRecord.executeWithOptions({ ...PREVIEW, summary: 'fetch and read the data' }, [
    { previewId },
  ]);
}
