// The page to sign in with a password.
import { Navigate, useSearchParams } from 'react-router';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { AuthCard } from './auth-card.tsx';
import { safeNext, withNext } from './next.ts';
import { SignInForm } from './sign-in-form.tsx';

export function Component() {
  const [search] = useSearchParams();
  const { signedIn } = useSignedIn();
  if (signedIn) return <Navigate to={safeNext(search.get('next'))} replace />;
  return (
    <AuthCard
      title="Sign in"
      footer={
        <>
          No account yet? <TextLink to={withNext('/sign-up', search)}>Sign up</TextLink>
        </>
      }
    >
      <SignInForm />
    </AuthCard>
  );
}
