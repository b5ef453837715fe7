// The rows of any snapshot: searched, filtered, profiled, compared.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Data" />;
