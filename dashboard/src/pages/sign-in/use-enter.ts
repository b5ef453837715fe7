// Signs in by a link: uses its token, and goes to the page that the user wanted before.
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { takeNext } from './next.ts';

export function useEnter(path: string, email: string) {
  const { ask } = useSignedIn();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: object) => postAuth(path, body),
    onSuccess: async () => {
      await ask();
      await navigate(takeNext(email), { replace: true });
    },
  });
}
