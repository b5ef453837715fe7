// What the routes under /auth/ share.
import type { FastifyBaseLogger } from 'fastify';
import type { AppServices } from '../contract/context.ts';
import type { Logins } from './logins.ts';
import type { SendMail } from './mail/mailer.ts';
import type { Passwords } from './passwords.ts';

export interface BackgroundWork {
  run: (what: string, work: () => Promise<void>) => void;
  /** Resolves when all of it is done. */
  done: () => Promise<void>;
}

export function createBackgroundWork(log: FastifyBaseLogger): BackgroundWork {
  const underWay = new Set<Promise<void>>();
  return {
    run: (what, work) => {
      const doing = work()
        .catch((error: unknown) => log.error({ err: error }, what))
        .finally(() => underWay.delete(doing));
      underWay.add(doing);
    },
    done: async () => void (await Promise.all(underWay)),
  };
}

export interface AuthContext {
  services: AppServices;
  passwords: Passwords;
  logins: Logins;
  background: BackgroundWork;
  sendMail: SendMail;
}
