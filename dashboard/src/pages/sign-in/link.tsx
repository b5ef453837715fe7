// Signing in with a link that works once.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Sign in" />;
