// A webhook in its form, and as the API takes it.
import type { components } from '../../../../client/schema.ts';
import { CHANGE_TYPES } from '../../../../parts/figures/change-sign.ts';
import { labelsOf, labelTexts } from '../../../../parts/record/labels.ts';
import type { ChangeType } from '../../../../theme.ts';
import type { EventType, Webhook } from '../webhook-model.ts';
import type { Owner } from '../webhook-queries.ts';

/** For which records it is. */
export interface SourcesDraft {
  kind: 'all' | 'labels' | 'ids';
  /** As `name:value`. */
  labels: string[];
  ids: string[];
}

export interface WebhookDraft {
  /** Only for a webhook of the account. */
  sources?: SourcesDraft | undefined;
  url: string;
  description: string;
  eventTypes: EventType[];
  /** All three: no filter. */
  changeTypes: ChangeType[];
  /** None: no filter. */
  columns: string[];
  /** Empty: no filter. */
  minChanges: number | '';
  format: Webhook['format'];
  include: Webhook['include'];
  /** None: all columns. */
  fields: string[];
  maxBodyBytes: number;
  ordered: boolean;
  onFailure: Webhook['onFailure'];
  /** Empty: one is created for you. */
  secret: string;
}

export const newDraft = (owner: Owner): WebhookDraft => ({
  sources: owner === null ? { kind: 'all', labels: [], ids: [] } : undefined,
  url: '',
  description: '',
  eventTypes: ['delta'],
  changeTypes: [...CHANGE_TYPES],
  columns: [],
  minChanges: '',
  format: 'json',
  include: 'keys',
  fields: [],
  maxBodyBytes: 262_144,
  ordered: false,
  onFailure: 'block',
  secret: '',
});

export const draftOf = ({ description, filters, ...webhook }: Webhook): WebhookDraft => ({
  sources: webhook.sources === undefined ? undefined : sourcesDraftOf(webhook.sources),
  url: webhook.url,
  description: description ?? '',
  eventTypes: webhook.eventTypes,
  changeTypes: filters?.changeTypes ?? [...CHANGE_TYPES],
  columns: filters?.columns ?? [],
  minChanges: filters?.minChanges ?? '',
  format: webhook.format,
  include: webhook.include,
  fields: webhook.fields ?? [],
  maxBodyBytes: webhook.maxBodyBytes,
  ordered: webhook.ordered,
  onFailure: webhook.onFailure,
  secret: '',
});

/** Without the secret, which is only set at creation. */
export function bodyOf(draft: WebhookDraft) {
  const { url, description, eventTypes, format, include, fields, maxBodyBytes, ordered, onFailure } = draft;
  return {
    ...(draft.sources && { sources: sourcesOf(draft.sources) }),
    url: url.trim(),
    description: description === '' ? null : description,
    eventTypes,
    filters: filtersOf(draft),
    format,
    include,
    fields: fields.length === 0 ? null : fields,
    maxBodyBytes,
    ordered,
    onFailure,
  };
}

type Sources = components['schemas']['WebhookSources'];

const sourcesDraftOf = (sources: Sources | null): SourcesDraft => ({
  kind: sources?.labels !== undefined ? 'labels' : sources?.ids !== undefined ? 'ids' : 'all',
  labels: labelTexts(sources?.labels ?? {}),
  ids: sources?.ids ?? [],
});

function sourcesOf({ kind, labels, ids }: SourcesDraft): Sources | null {
  if (kind === 'all') return null;
  return kind === 'labels' ? { labels: labelsOf(labels) } : { ids };
}

type Filters = components['schemas']['WebhookFilters'];

/** Null: every delta is sent. */
export function filtersOf({
  changeTypes,
  columns,
  minChanges,
}: Pick<WebhookDraft, 'changeTypes' | 'columns' | 'minChanges'>): Filters | null {
  const filters: Filters = {
    ...(changeTypes.length < CHANGE_TYPES.length && { changeTypes }),
    ...(columns.length > 0 && { columns }),
    ...(minChanges !== '' && { minChanges }),
  };
  return Object.keys(filters).length === 0 ? null : filters;
}
