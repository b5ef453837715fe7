// What the routes at /auth/ work with.
import type { AppServices } from '../contract/context.ts';
import type { Later } from './later.ts';
import type { Logins } from './logins.ts';
import type { SendMail } from './mail/mailer.ts';
import type { Passwords } from './passwords.ts';

export interface AuthDoor {
  services: AppServices;
  passwords: Passwords;
  logins: Logins;
  later: Later;
  sendMail: SendMail;
}
