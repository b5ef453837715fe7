// What can be changed about a record.
import { PageTitle } from '../../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Settings" />;
