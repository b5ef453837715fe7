// Password and sessions of the person who is signed in.
import { PageTitle } from '../../parts/page-title.tsx';

export const Component = () => <PageTitle title="Password and sessions" />;
