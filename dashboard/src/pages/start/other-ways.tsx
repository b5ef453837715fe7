// Other ways to continue after a failed first check: another URL, or none.
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useApiClient } from '../../client/api-provider.tsx';
import { dropSession } from '../../client/credentials.ts';
import { useSession } from '../../client/session-context.ts';
import { isProblem } from '../../client/problem.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';

interface Props {
  onChangeUrl: () => void;
  onDiscarded: () => void;
}

/** For the record of an anonymous session. */
export function OtherWays({ onChangeUrl, onDiscarded }: Props) {
  const discard = useDiscard(onDiscarded);
  return (
    <>
      <Button variant="default" onClick={onChangeUrl}>
        Change the URL
      </Button>
      <Button variant="default" loading={discard.isPending} onClick={() => discard.mutate()}>
        Discard
      </Button>
      <ProblemNote error={discard.error} title="The record was not discarded" />
    </>
  );
}

/** The record has no data, so no confirmation is needed. */
function useDiscard(onDiscarded: () => void) {
  const api = useApiClient();
  const session = useSession();
  return useMutation({
    mutationFn: async () => {
      await api.DELETE('/v1/sources/{id}', { params: { path: { id: 'self' } } }).catch(unlessGone);
      if (session !== undefined) dropSession(session.id);
    },
    onSuccess: onDiscarded,
  });
}

/** @throws any other error */
function unlessGone(error: unknown): void {
  if (!isProblem(error, 'unauthenticated') && !isProblem(error, 'not_found')) throw error;
}
