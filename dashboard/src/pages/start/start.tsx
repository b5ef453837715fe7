// The first page: a field for a URL.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Watch a URL" />;
