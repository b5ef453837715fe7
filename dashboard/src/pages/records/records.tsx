// All records of the account, failing ones first.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Records" />;
