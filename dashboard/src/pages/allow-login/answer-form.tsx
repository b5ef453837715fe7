// What a person sees before they allow a login: which machine asks, the code to compare, and what the key may do.
import { shownName } from '../../client/shown-name.ts';
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApiClient } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { Fact, Facts } from '../../parts/blocks/facts.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Ago } from '../../parts/figures/time.tsx';
import { type Confirmed, confirming, useConfirmation } from '../../parts/forms/confirmation.tsx';
import { isElsewhere } from '../../parts/forms/field-faults.ts';
import classes from './answer-form.module.css';

type KeyScope = 'full' | 'read';

interface Answer {
  answer: 'allow' | 'refuse';
  scope: KeyScope;
}

interface Props {
  request: components['schemas']['KeyRequest'];
  onAnswered: (answer: Answer['answer']) => void;
}

export function AnswerForm({ request, onAnswered }: Props) {
  const { userCode } = request;
  const [scope, setScope] = useState<KeyScope>('read');
  const api = useApiClient();
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: confirming(async (given: Answer) =>
      api.POST('/v1/key-requests/answer', { body: { userCode, ...given } }),
    ),
    onSuccess: (_, { answer }: Confirmed<Answer>) => onAnswered(answer),
  });
  const confirmation = useConfirmation(error);
  const allow = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ answer: 'allow', scope, ...confirmation.given });
  };
  const isDoing = (answer: Answer['answer']): boolean => isPending && variables.answer === answer;
  return (
    <form onSubmit={allow}>
      <Stack>
        <Code code={userCode} />
        <Asker request={request} />
        <Alert color="yellow" variant="light" title="Only continue if you started this on your own machine">
          <Text size="sm">
            If somebody sent you this link or this code, refuse: they would get access to your account.
          </Text>
        </Alert>
        <ScopeChoice value={scope} onChange={setScope} />
        {confirmation.field}
        {isElsewhere(confirmation.remainingError, [confirmation.pointer]) && (
          <ProblemNote error={confirmation.remainingError} />
        )}
        <Group grow>
          <Button
            variant="default"
            loading={isDoing('refuse')}
            disabled={isPending}
            onClick={() => mutate({ answer: 'refuse', scope })}
          >
            Refuse
          </Button>
          <Button type="submit" loading={isDoing('allow')} disabled={isPending}>
            Allow
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const Code = ({ code }: { code: string }) => (
  <div>
    <Text size="sm">Does your terminal show this code?</Text>
    <Text className={classes['code'] ?? ''}>{code}</Text>
  </div>
);

function Asker({ request: { machine, address, createdAt } }: Pick<Props, 'request'>) {
  const { signedIn } = useSignedIn();
  return (
    <Facts>
      <Fact name="Machine">{shownName(machine)}</Fact>
      <Fact name="Its address">{address}</Fact>
      <Fact name="Asked">
        <Ago at={createdAt} />
      </Fact>
      <Fact name="Your account">{signedIn?.user.email}</Fact>
    </Facts>
  );
}

interface ScopeProps {
  value: KeyScope;
  onChange: (scope: KeyScope) => void;
}

const ScopeChoice = ({ value, onChange }: ScopeProps) => (
  <Radio.Group
    label="What it may do"
    value={value}
    onChange={(chosen) => onChange(chosen === 'full' ? 'full' : 'read')}
  >
    <Stack gap="xs" mt="xs">
      <Radio value="read" label="Read" description="Read records, changes and rows, and download" />
      <Radio
        value="full"
        label="Everything"
        description="Also create and change records, keys and webhooks"
      />
    </Stack>
  </Radio.Group>
);
