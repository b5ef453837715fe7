// Allows or refuses the login of a command line: a program on some machine that asks for an API key of this account.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiQueries } from '../../client/api-provider.tsx';
import { LockedNote } from '../../parts/blocks/locked-note.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Waiting } from '../../parts/blocks/waiting.tsx';
import { useUrlState } from '../../parts/state/use-url-state.ts';
import { useIsLocked } from '../../parts/state/use-usage.ts';
import { AuthCard } from '../sign-in/auth-card.tsx';
import { AnswerForm } from './answer-form.tsx';
import { Answered } from './answered.tsx';
import { CodeForm } from './code-form.tsx';

export function Component() {
  const [params, change] = useUrlState();
  const code = params.get('code');
  return (
    <AuthCard title="Command-line login">
      {code === null ? (
        <CodeForm onCode={(entered) => change({ code: entered })} />
      ) : (
        <KeyRequest key={code} code={code} onOther={(entered) => change({ code: entered })} />
      )}
    </AuthCard>
  );
}

interface Props {
  code: string;
  onOther: (code: string) => void;
}

function KeyRequest({ code, onOther }: Props) {
  const [answer, setAnswer] = useState<'allow' | 'refuse'>();
  const isLocked = useIsLocked();
  // Once only: an answered request is no longer found.
  const options = { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false };
  const query = { params: { query: { userCode: code } } };
  const { data: request, error } = useQuery(
    useApiQueries().queryOptions('get', '/v1/key-requests', query, options),
  );
  if (answer !== undefined && request !== undefined) {
    return <Answered answer={answer} machine={request.machine} />;
  }
  if (isLocked) return <LockedNote feature="API keys" isAnonymous={false} />;
  if (request !== undefined) return <AnswerForm request={request} onAnswered={setAnswer} />;
  if (error === null) return <Waiting>Looking for the login…</Waiting>;
  return (
    <>
      <ProblemNote error={error} title="There is no such login" advice={ADVICE} />
      <CodeForm onCode={onOther} />
    </>
  );
}

const ADVICE = {
  invalid_parameter: 'This is not a login code: it has eight letters.',
  not_found:
    'No program waits for this code: it is mistyped, was answered already, or its ten minutes are over.',
};
