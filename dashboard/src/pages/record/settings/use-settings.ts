// Saves a section of a record's settings, and reports it.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { answerOf } from '../../../client/answer-of.ts';
import { useApiClient } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRefresh, useShowRecord } from '../../../parts/record/use-record.ts';

export type RecordChange = components['schemas']['UpdateRecordRequest'];

/** Key and ignored fields are applied to the stored body: the answer waits for that. */
const PREFER = { header: { Prefer: 'wait=20' } };

/** @param done the message afterwards: `Schedule changed.` */
export function useSettings(done: string) {
  const api = useApiClient();
  const ref = useRecordRef();
  const show = useShowRecord();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { mutate, mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: (body: RecordChange) =>
      answerOf(api.PATCH('/v1/sources/{id}', { params: { path: { id: ref }, ...PREFER }, body })),
    onSuccess: async (record, { slug }) => {
      notifications.show({ color: 'teal', title: 'Saved', message: done });
      show(slug ?? ref, record);
      // Nothing exists under the old slug any more.
      if (slug === undefined || !isSlug(ref)) return refresh();
      await navigate(pathname.replace(`/records/${ref}`, `/records/${slug}`), { replace: true });
    },
  });
  const save = (change: RecordChange, onSaved?: () => void): void =>
    mutate(change, { onSuccess: () => onSaved?.() });
  return { save, saveAsync: mutateAsync, isPending, error, reset };
}

/** A record's pages are under its slug or its id, which stays. A session's pages are under neither. */
const isSlug = (ref: string): boolean => ref !== 'self' && !ref.startsWith('src_');
