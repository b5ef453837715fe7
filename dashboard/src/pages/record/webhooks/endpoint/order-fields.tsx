// Whether the events of a record are sent in their order, and what a failure does to the later ones.
import { Checkbox, Fieldset, Radio, Stack } from '@mantine/core';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import type { WebhookDraft } from './webhook-draft.ts';

interface Props {
  draft: WebhookDraft;
  onChange: (changes: Partial<WebhookDraft>) => void;
  error: unknown;
}

export const OrderFields = ({ draft, onChange, error }: Props) => (
  <Fieldset legend="Order">
    <Stack>
      <Checkbox
        label="Send one event after another"
        description="Each waits until the one before has arrived. Retries hold up the later ones."
        checked={draft.ordered}
        onChange={({ currentTarget }) => onChange({ ordered: currentTarget.checked })}
        error={faultAt(error, '/ordered')}
      />
      {draft.ordered && (
        <Radio.Group
          label="When all attempts of an event have failed"
          value={draft.onFailure}
          onChange={(effect) => onChange({ onFailure: effect === 'skip' ? 'skip' : 'block' })}
          error={faultAt(error, '/onFailure')}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="block" label="wait" description="Until you send it again and it arrives" />
            <Radio value="skip" label="continue" description="With the later events" />
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  </Fieldset>
);
