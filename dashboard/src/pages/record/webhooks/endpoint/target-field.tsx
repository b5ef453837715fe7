// Where a webhook sends to: a URL, or the address of a mail.
import { TextInput } from '@mantine/core';
import { endpointFault } from './endpoint-fault.ts';
import type { WebhookDraft } from './webhook-draft.ts';
import { isMessage } from '../webhook-model.ts';

interface Props {
  draft: WebhookDraft;
  onChange: (changes: Partial<WebhookDraft>) => void;
  error: unknown;
}

const MAILTO = 'mailto:';

export const TargetField = (props: Props) =>
  props.draft.format === 'mail' ? <AddressField {...props} /> : <UrlField {...props} />;

const AddressField = ({ draft, onChange, error }: Props) => (
  <TextInput
    label="Mail address"
    description="The address with which you sign in. Each mail has an unsubscribe link."
    type="email"
    required
    data-autofocus
    value={draft.url.startsWith(MAILTO) ? draft.url.slice(MAILTO.length) : ''}
    onChange={({ currentTarget }) => onChange({ url: `${MAILTO}${currentTarget.value}` })}
    error={endpointFault(error, draft.url)}
  />
);

const UrlField = ({ draft, onChange, error }: Props) => {
  const isForPeople = isMessage(draft.format);
  return (
    <TextInput
      label={isForPeople ? 'Webhook URL' : 'Endpoint URL'}
      description={
        isForPeople
          ? 'As the chat shows it for an incoming webhook; for ntfy, the URL of the topic. Keep it secret.'
          : 'Events are sent here by POST. The endpoint must answer 2xx within 15 seconds.'
      }
      placeholder={isForPeople ? undefined : 'https://example.com/hooks/recordwatch'}
      type="url"
      required
      data-autofocus
      value={draft.url}
      onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      error={endpointFault(error, draft.url)}
    />
  );
};
