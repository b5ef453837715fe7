// Examples of the API in three languages.
import { Anchor, Stack, Tabs } from '@mantine/core';
import { CodeBlock } from '../../../parts/blocks/code-block.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import type { Access } from './access.ts';
import { filled, LANGUAGES } from './code-samples.ts';
import { CredentialHint } from './credential-hint.tsx';
import { useChoice } from './use-choice.ts';

const IDS = LANGUAGES.map(({ id }) => id);

export function CodeSection({ access }: { access: Access }) {
  const [chosen, choose] = useChoice('code', IDS);
  return (
    <Section title="API" description={<Introduction />}>
      <Tabs value={chosen} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label="Language">
          {LANGUAGES.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map(({ id, samples }) => (
          <Tabs.Panel key={id} value={id} pt="md">
            <Stack>
              {samples.map(({ text, what }) => (
                <CodeBlock key={what} text={filled(text, access)} what={what} />
              ))}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      <CredentialHint access={access} />
    </Section>
  );
}

const Introduction = () => (
  <>
    Ready to paste. With <i>since</i>, they ask only for events after the last one that they saw. Every
    operation is in the{' '}
    <Anchor href="/docs" underline="always">
      reference
    </Anchor>
    .
  </>
);
