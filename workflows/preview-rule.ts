// What other key or ignored fields would do with a record's stored body: asked by the API, answered by one activity.
import type { PreviewRuleInput } from './contract.ts';
import { PREVIEW, previews } from './proxies.ts';

/** The answer stands in Postgres; how long the whole may take, whoever starts it says. */
export function previewRule({ previewId }: PreviewRuleInput): Promise<void> {
  return previews.previewRule.executeWithOptions({ ...PREVIEW, summary: 'read the stored body' }, [
    { previewId },
  ]);
}
