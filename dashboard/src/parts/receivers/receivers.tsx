// Programs that receive deliveries and reject forged ones: those of docs/webhooks.md, with the command to run each.
import { Tabs } from '@mantine/core';
import { CodeBlock } from '../blocks/code-block.tsx';
import go from './receiver-go.txt?raw';
import python from './receiver-python.txt?raw';
import typescript from './receiver-typescript.txt?raw';

const RECEIVERS = [
  { id: 'typescript', name: 'TypeScript', text: typescript },
  { id: 'python', name: 'Python', text: python },
  { id: 'go', name: 'Go', text: go },
] as const;

interface Props {
  /** The language; the first one if it is none of them. */
  value: string | null;
  onChange: (language: string | null) => void;
}

export const Receivers = ({ value, onChange }: Props) => (
  <Tabs
    value={RECEIVERS.find(({ id }) => id === value)?.id ?? RECEIVERS[0].id}
    onChange={onChange}
    keepMounted={false}
  >
    <Tabs.List aria-label="Language of the receiver">
      {RECEIVERS.map(({ id, name }) => (
        <Tabs.Tab key={id} value={id}>
          {name}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {RECEIVERS.map(({ id, name, text }) => (
      <Tabs.Panel key={id} value={id} pt="md">
        <CodeBlock text={text.trimEnd()} what={`the receiver in ${name}`} />
      </Tabs.Panel>
    ))}
  </Tabs>
);
