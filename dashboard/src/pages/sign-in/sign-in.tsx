// Signing in with email and password.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Sign in" />;
