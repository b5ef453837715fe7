// One check: its outcome, its warnings, and what a held one would change.
import { PageTitle } from '../../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Check" />;
