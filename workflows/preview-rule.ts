// Previews other settings on a record's stored body. The API starts it; one activity answers.
import type { PreviewRuleInput } from './contract.ts';
import { PREVIEW, previews } from './proxies.ts';

/** The activity writes the answer to Postgres. The API sets the timeout of the workflow. */
export function previewRule({ previewId }: PreviewRuleInput): Promise<void> {
  return previews.previewRule.executeWithOptions({ ...PREVIEW, summary: 'read the stored body' }, [
    { previewId },
  ]);
}
