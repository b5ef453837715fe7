// One webhook of the account.
import { useParams } from 'react-router';
import { WebhookPage } from '../record/webhooks/webhook-page.tsx';

export const Component = () => <WebhookPage path={{ id: null, webhookId: useParams()['webhookId'] ?? '' }} />;
