// Saving a part of a record's settings, and saying so.
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from 'react-router';
import { answerOf } from '../../../client/answer-of.ts';
import type { components } from '../../../client/schema.ts';
import { useRecordRef } from '../record-ref.ts';
import { useRecordAction } from '../use-record-action.ts';
import { useShowRecord } from '../use-record.ts';

export type RecordChange = components['schemas']['UpdateRecordRequest'];

/** Key and ignored fields are applied to the stored body: the answer waits for it. */
const PREFER = { header: { Prefer: 'wait=20' } };

/** @param part what is saved: `The schedule` */
export function useSettings(part: string) {
  const ref = useRecordRef();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { mutate, mutateAsync, isPending, error, reset } = useRecordAction(
    (api, params, body: RecordChange) =>
      answerOf(api.PATCH('/v1/sources/{id}', { params: { ...params, ...PREFER }, body })),
  );
  const show = useShowRecord(ref);
  const save = (change: RecordChange, onSaved?: () => void): void =>
    mutate(change, {
      onSuccess: (record) => {
        show(record);
        notifications.show({ color: 'teal', title: 'Saved', message: `${part} of the record is changed.` });
        onSaved?.();
        // The record stands under its slug, or under its id, which stays.
        if (change.slug !== undefined && ref !== 'self' && !ref.startsWith('src_')) {
          void navigate(pathname.replace(encodeURIComponent(ref), record.slug), { replace: true });
        }
      },
    });
  return { save, saveAsync: mutateAsync, isPending, error, reset };
}
