// What each check came to.
import { PageTitle } from '../../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Checks" />;
