// The page of one-time links, from a mail or from `npm start`. It says whom the link is for, and does nothing before a
// click, because anybody may have sent the link.
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
  // The key resets the page when another link is opened in the same tab.
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
