// A record at a glance: changes over time, health, the next check.
import { PageTitle } from '../../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Overview" />;
