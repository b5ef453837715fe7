// One delta event's rows, before and after.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Event" />;
