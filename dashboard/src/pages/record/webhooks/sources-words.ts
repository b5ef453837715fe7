// For which records a webhook of the account is, in words.
import { labelTexts } from '../../../parts/record/labels.ts';
import type { Webhook } from './webhook-model.ts';

export function sourcesWords(sources: NonNullable<Webhook['sources']> | null): string {
  if (sources?.labels !== undefined) return `labelled ${labelTexts(sources.labels).join(' and ')}`;
  if (sources?.ids === undefined) return 'all records';
  return sources.ids.length === 1 ? '1 record' : `${sources.ids.length} records`;
}
