// Starts over with the next body, for an origin that sends other data under the same URL.
import { Group } from '@mantine/core';
import { ConfirmButton } from '../../../parts/forms/confirm-button.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { useSettings } from './use-settings.ts';

export function StartOver() {
  const { saveAsync } = useSettings('The record has started over.');
  return (
    <Section
      title="Start over"
      description="For an origin that now sends other data under the same URL. The next snapshot is compared with nothing; earlier history stays readable."
    >
      <Group>
        <ConfirmButton
          title="Start over?"
          explanation="A check starts at once, and its rows become the new starting point. Changes since the last snapshot are not shown."
          confirm="Start over"
          onConfirm={() => saveAsync({ startOver: true })}
        >
          Start over
        </ConfirmButton>
      </Group>
    </Section>
  );
}
