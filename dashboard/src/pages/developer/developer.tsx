// Account keys, connected clients, usage.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Developer settings" />;
