// One webhook and its deliveries.
import { PageTitle } from '../../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Webhook" />;
