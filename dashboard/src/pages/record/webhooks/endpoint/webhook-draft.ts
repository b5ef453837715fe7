// A webhook in its form, and as the API takes it.
import type { components } from '../../../../client/schema.ts';
import { CHANGE_TYPES } from '../../../../parts/figures/change-sign.ts';
import type { ChangeType } from '../../../../theme.ts';
import type { EventType, Webhook } from '../webhook-model.ts';

export interface WebhookDraft {
  url: string;
  description: string;
  eventTypes: EventType[];
  /** All three: no filter. */
  changeTypes: ChangeType[];
  /** None: no filter. */
  columns: string[];
  /** Empty: no filter. */
  minChanges: number | '';
  /** Empty: one is created for you. */
  secret: string;
}

export const newDraft = (): WebhookDraft => ({
  url: '',
  description: '',
  eventTypes: ['delta'],
  changeTypes: [...CHANGE_TYPES],
  columns: [],
  minChanges: '',
  secret: '',
});

export const draftOf = ({ url, description, eventTypes, filters }: Webhook): WebhookDraft => ({
  url,
  description: description ?? '',
  eventTypes,
  changeTypes: filters?.changeTypes ?? [...CHANGE_TYPES],
  columns: filters?.columns ?? [],
  minChanges: filters?.minChanges ?? '',
  secret: '',
});

/** Without the secret, which is only set at creation. */
export function bodyOf({ url, description, eventTypes, ...filters }: WebhookDraft) {
  return {
    url: url.trim(),
    description: description === '' ? null : description,
    eventTypes,
    filters: filtersOf(filters),
  };
}

type Filters = components['schemas']['WebhookFilters'];

function filtersOf({
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
