// What a listener of an outbound socket throws reaches no promise, and would end the process. Here it ends the
// connections of one fetch, or of one webhook, and nothing else.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

type OnFault = (fault: unknown) => void;

const owners = new AsyncLocalStorage<OnFault>();

/** Runs `work`. What its sockets and timers throw later goes to `onFault`, once containFaults has been called. */
export function owningFaults<T>(onFault: OnFault, work: () => T): T {
  return owners.run(onFault, work);
}

/**
 * Handles what nobody catches, for as long as the process lives. After a fault that no connection owns nothing is sure any
 * more: the process logs it and ends with code 1, and Temporal has another worker repeat what was under way.
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
