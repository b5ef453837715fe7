// Contains errors thrown by listeners of outbound sockets. They reach no promise and would end the process; with this they end
// only the connections of one fetch or one webhook.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

type OnFault = (fault: unknown) => void;

const owners = new AsyncLocalStorage<OnFault>();

/** Runs `work`. Errors that its sockets and timers throw later go to `onFault`, if containFaults was called. */
export function owningFaults<T>(onFault: OnFault, work: () => T): T {
  return owners.run(onFault, work);
}

/**
 * Handles uncaught errors for the life of the process. After an error that belongs to no connection the state of the process
 * is unknown: it logs the error and exits with code 1. Temporal makes another worker repeat what was running.
 */
export function containFaults(log: Pick<Logger, 'error' | 'fatal'>): void {
  process.on('uncaughtException', (err: unknown, kind) => {
    const onFault = owners.getStore();
    if (onFault === undefined) {
      log.fatal({ err, kind }, 'nobody caught this error: the process ends');
      process.exit(1);
    }
    log.error({ err, kind }, 'nobody caught this error: the connection that it came from is closed');
    onFault(err);
  });
}
