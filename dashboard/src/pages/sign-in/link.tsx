// Where the one-time link of a mail leads, or that which `npm start` prints. It says whom it is for, and does nothing until
// they say so: a link can be anybody's, and come from anybody.
import { useQuery } from '@tanstack/react-query';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { Waiting } from '../../parts/blocks/waiting.tsx';
import { AuthCard } from './auth-card.tsx';
import { DeadLink } from './dead-link.tsx';
import { ConfirmEmail, UndoEmail } from './email-links.tsx';
import { FinishSignUp } from './finish-sign-up.tsx';
import { SignInByLink } from './sign-in-by-link.tsx';
import { useHashToken } from './use-hash-token.ts';

interface LinkDescription {
  kind: keyof typeof PAGES;
  email: string;
}

export function Component() {
  const token = useHashToken();
  const { signedIn } = useSignedIn();
  const { data: link, error } = useQuery({
    queryKey: ['link', token],
    queryFn: () => postAuth<LinkDescription>('link/look', { token }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  });
  if (signedIn === undefined) return <OneMoment />;
  // The key: another link may be opened in the same tab.
  if (token === '' || error !== null) return <DeadLink key={token} error={error} signedIn={signedIn} />;
  if (link === undefined) return <OneMoment />;
  const given = { token, email: link.email, signedIn: signedIn?.user.email };
  const Page = PAGES[link.kind];
  return <Page key={token} {...given} />;
}

const PAGES = {
  'sign-in': SignInByLink,
  'sign-up': FinishSignUp,
  'change-email': ConfirmEmail,
  'undo-email': UndoEmail,
};

const OneMoment = () => (
  <AuthCard title="Checking the link">
    <Waiting>One moment…</Waiting>
  </AuthCard>
);
