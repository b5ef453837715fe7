// Making an account.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Sign up" />;
