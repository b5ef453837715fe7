// A webhook in its form, and as the API takes it.
import type { components } from '../../../../client/schema.ts';
import { CHANGE_TYPES } from '../../../../parts/figures/change-sign.ts';
import { labelsOf, labelTexts } from '../../../../parts/record/labels.ts';
import type { ChangeType } from '../../../../theme.ts';
import {
  type ConditionDraft,
  conditionOf,
  draftOfCondition,
  NO_CONDITION,
} from './condition/condition-draft.ts';
import { type EventType, type Format, isMessage, type Webhook } from '../webhook-model.ts';
import type { Owner } from '../webhook-queries.ts';

/** For which records it is. */
export interface SourcesDraft {
  kind: 'all' | 'labels' | 'ids';
  /** As `name:value`. */
  labels: string[];
  ids: string[];
}

/** When its messages are sent; the last two only once a day. */
export interface DigestDraft {
  every: 'event' | 'hour' | 'day';
  at: string;
  timeZone: string;
}

export interface WebhookDraft {
  ownAddress: string;
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
  condition: ConditionDraft;
  format: Format;
  include: Webhook['include'];
  /** None: all columns. */
  fields: string[];
  maxBodyBytes: number;
  ordered: boolean;
  onFailure: Webhook['onFailure'];
  quietHours: number;
  failingAfter: number;
  digest: DigestDraft;
  /** Empty: one is created for you. */
  secret: string;
}

/** The first address of a mail is that of the person. */
export function withFormat({ url, ownAddress }: WebhookDraft, format: Format): Partial<WebhookDraft> {
  const isMail = url.startsWith('mailto:');
  if (format === 'mail') return { format, ...(!isMail && { url: `mailto:${ownAddress}` }) };
  return { format, ...(isMail && { url: '' }) };
}

/** @param ownAddress with which the person signs in; empty if they use a key */
export const newDraft = (owner: Owner, ownAddress: string): WebhookDraft => ({
  ownAddress,
  sources: owner === null ? { kind: 'all', labels: [], ids: [] } : undefined,
  url: '',
  description: '',
  eventTypes: ['delta'],
  changeTypes: [...CHANGE_TYPES],
  columns: [],
  minChanges: '',
  condition: NO_CONDITION,
  format: 'json',
  include: 'keys',
  fields: [],
  maxBodyBytes: 262_144,
  ordered: false,
  onFailure: 'block',
  quietHours: 24,
  failingAfter: 1,
  digest: newDigest(),
  secret: '',
});

export const draftOf = ({ description, filters, ...webhook }: Webhook): WebhookDraft => ({
  ownAddress: '',
  sources: webhook.sources === undefined ? undefined : sourcesDraftOf(webhook.sources),
  url: webhook.url,
  description: description ?? '',
  eventTypes: webhook.eventTypes,
  changeTypes: filters?.changeTypes ?? [...CHANGE_TYPES],
  columns: filters?.columns ?? [],
  minChanges: filters?.minChanges ?? '',
  condition: draftOfCondition(webhook.condition),
  format: webhook.format,
  include: webhook.include,
  fields: webhook.fields ?? [],
  maxBodyBytes: webhook.maxBodyBytes,
  ordered: webhook.ordered,
  onFailure: webhook.onFailure,
  quietHours: webhook.quietHours,
  failingAfter: webhook.failingAfter,
  digest: { ...newDigest(), ...webhook.digest },
  secret: '',
});

/** Without the secret, which is only set at creation. */
export function bodyOf(draft: WebhookDraft) {
  const {
    url,
    description,
    eventTypes,
    format,
    include,
    fields,
    maxBodyBytes,
    ordered,
    onFailure,
    quietHours,
    failingAfter,
  } = draft;
  return {
    ...(draft.sources && { sources: sourcesOf(draft.sources) }),
    url: url.trim(),
    description: description === '' ? null : description,
    eventTypes,
    filters: filtersOf(draft),
    condition: conditionOf(draft.condition) ?? null,
    format,
    include,
    fields: fields.length === 0 ? null : fields,
    maxBodyBytes,
    ordered,
    onFailure,
    quietHours,
    failingAfter,
    digest: digestOf(draft),
  };
}

/** Programs get each event, and so do those who get one after another. */
export const mayDigest = ({ format, ordered }: Pick<WebhookDraft, 'format' | 'ordered'>): boolean =>
  isMessage(format) && !ordered;

const newDigest = (): DigestDraft => ({
  every: 'event',
  at: '08:00',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

function digestOf({ digest, ...draft }: WebhookDraft): Webhook['digest'] {
  const { every, at, timeZone } = digest;
  if (every === 'event' || !mayDigest(draft)) return null;
  return every === 'hour' ? { every } : { every, at, timeZone };
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
