// How programs reach this record: keys, MCP, code to paste.
import { PageTitle } from '../../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Connect" />;
