// Asking for a mail that lets one set a new password.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Forgot your password?" />;
