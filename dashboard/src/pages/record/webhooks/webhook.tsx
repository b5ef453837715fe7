// One webhook of a record.
import { useParams } from 'react-router';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { WebhookPage } from './webhook-page.tsx';

export const Component = () => (
  <WebhookPage path={{ id: useRecordRef(), webhookId: useParams()['webhookId'] ?? '' }} />
);
