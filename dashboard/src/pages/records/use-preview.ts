// Fetches and reads the data behind a URL, without creating a record.
import { useMutation } from '@tanstack/react-query';
import { useApiClient } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import { readExact } from '../../parts/row-table/exact-json.ts';
import { newRecordBody, type NewRecordDraft } from './new-record-draft.ts';

export type RecordPreview = components['schemas']['RecordPreview'];

type Body = components['schemas']['PreviewRecordRequest'];

/** Only what decides how the data is read. */
function previewBody(draft: NewRecordDraft): Body {
  const { name: _name, checkIntervalMinutes: _interval, pairing: _pairing, ...body } = newRecordBody(draft);
  return body;
}

export function usePreview(draft: NewRecordDraft) {
  const api = useApiClient();
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: async (body: Body) => {
      const { data = '{}' } = await api.POST('/v1/previews', { body, parseAs: 'text' });
      return readExact<RecordPreview>(data);
    },
  });
  const body = previewBody(draft);
  return {
    show: () => mutate(body),
    preview: data,
    error,
    isPending,
    /** Made with the settings that the form has now. */
    isCurrent: data !== undefined && JSON.stringify(variables) === JSON.stringify(body),
  };
}
