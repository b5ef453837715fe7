// Setting a new password with the link from that mail.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="New password" />;
