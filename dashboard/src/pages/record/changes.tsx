// A record's delta events, newest first.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Changes" />;
