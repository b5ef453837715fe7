// Whether the service runs on the reader's own machine, as with `npm start`.
import { useInstallation } from './installation.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export const isOnOwnMachine = (url: string): boolean =>
  URL.canParse(url) && LOOPBACK.includes(new URL(url).hostname);

/** True if the service's own address is a loopback address. */
export const useIsOwnMachine = (): boolean => isOnOwnMachine(useInstallation().baseUrl);
