// What shows notices, as a part of its own, so that it loads apart from what sends them.
export { Notifications } from '@mantine/notifications';
