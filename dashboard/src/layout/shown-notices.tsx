// What shows notices: apart from what sends them, so that it loads later.
import { Notifications } from '@mantine/notifications';

export const ShownNotices = () => <Notifications position="bottom-right" />;
