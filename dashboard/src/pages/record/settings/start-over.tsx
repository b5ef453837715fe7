// Beginning anew with the next body, for an origin that sends other data under the same URL.
import { Group } from '@mantine/core';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { Section } from '../../../parts/section.tsx';
import { useSettings } from './use-settings.ts';

export function StartOver() {
  const { saveAsync } = useSettings('The record');
  return (
    <Section
      title="Start over"
      description="For an origin that sends other data under the same URL. The next body is compared with nothing; history from before stays readable."
    >
      <Group>
        <ConfirmButton
          title="Start over?"
          explanation="A check is made at once, and what it brings becomes the new baseline. What changed between the last snapshot and that body is not seen."
          confirm="Start over"
          onConfirm={() => saveAsync({ startOver: true })}
        >
          Start over
        </ConfirmButton>
      </Group>
    </Section>
  );
}
