// A record of the account: a URL, and what is known about it.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="New record" />;
