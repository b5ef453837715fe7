// Who is told of changes.
import { PageTitle } from '../../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Webhooks" />;
