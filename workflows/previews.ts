// Previews: one activity answers each. The API starts them, and sets the timeout of the workflow.
import type { PreviewRecordInput, PreviewRuleInput } from './contract.ts';
import { PREVIEW, previews } from './proxies.ts';

/** Previews a record that does not exist yet. The activity writes the answer to PostgreSQL. */
export function previewRecord({ previewId }: PreviewRecordInput): Promise<void> {
  return previews.previewRecord.executeWithOptions({ ...PREVIEW, summary: 'fetch and read the data' }, [
    { previewId },
  ]);
}

/** Previews other settings on a record's stored body. The activity writes the answer to PostgreSQL. */
export function previewRule({ previewId }: PreviewRuleInput): Promise<void> {
  return previews.previewRule.executeWithOptions({ ...PREVIEW, summary: 'read the stored body' }, [
    { previewId },
  ]);
}
