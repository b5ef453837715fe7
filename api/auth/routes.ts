// The routes under /auth/, for people in a browser, with a cookie. The cookie opens nothing else: /v1 accepts the tokens of
// POST /auth/token. The sign-in library has no routes of its own.
import type { FastifyInstance } from 'fastify';
import { callerAddress } from '../../core/network/caller-address.ts';
import { endLoginSessions } from '../../db/access/login-sessions.ts';
import { findUser } from '../../db/access/users.ts';
import { requireAllowance } from '../access/rate-limits.ts';
import { toApiError } from '../contract/errors.ts';
import type { AppContext } from '../http/routes.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerEmailRoutes } from './email-routes.ts';
import { type AuthContext, createBackgroundWork } from './auth-context.ts';
import { confirmPerson } from './confirm-person.ts';
import { endLinks, resetUrl } from './links.ts';
import { forgetFailures } from './limits.ts';
import { signedOut } from './library-errors.ts';
import { createLogins } from './logins.ts';
import type { SendMail } from './mail/mailer.ts';
import { resetMail } from './mail/mails.ts';
import { createPasswords } from './passwords.ts';
import { registerPasswordRoutes } from './password-routes.ts';
import { requireSamePage } from './requests.ts';
import { registerSessionRoutes } from './session-routes.ts';
import { registerSignInRoutes } from './sign-in-routes.ts';
import { registerSignUpRoutes } from './sign-up-routes.ts';

export function registerAuth(
  app: FastifyInstance,
  { services, rateLimits }: AppContext,
  sendMail: SendMail,
): void {
  const { db, config, log } = services;
  const { baseUrl } = config;
  const passwords = createPasswords(services.capacity.passwordHashes);
  const background = createBackgroundWork(log);
  const logins = createLogins({
    services,
    passwords,
    sendReset: (email, token) => sendMail(resetMail(email, resetUrl(baseUrl, token))),
    onReset: async (userId) => {
      await endLinks(db, userId);
      // Including sessions that began before the new password was stored.
      await endLoginSessions(db, userId);
      const user = await findUser(db, userId);
      if (user !== undefined) await forgetFailures(db, user.email);
    },
  });
  const context: AuthContext = { services, passwords, logins, background, sendMail };
  app.decorate('findLogin', logins.find);
  app.decorate('confirmPassword', async (request, password) => {
    const login = await logins.find(request);
    if (login === null) throw signedOut();
    const address = callerAddress(request.ip);
    await passwords.asCaller(address, () => confirmPerson(context, login, address, password));
  });
  app.addHook('onClose', background.done);
  void app.register(async (auth) => {
    // Not at onRequest: a wrong method is a 405 for every caller.
    auth.addHook('preParsing', async (request) => {
      request.address = callerAddress(request.ip);
      requireAllowance(await rateLimits.countVisit(request.address));
      if (request.method !== 'GET' && request.method !== 'HEAD') requireSamePage(request, baseUrl);
    });
    // With a callback, because what follows it runs in its context. Reading the body would leave an earlier one.
    auth.addHook('preHandler', (request, _reply, done) => passwords.asCaller(request.address, done));
    auth.setErrorHandler(async (error, request) => {
      // Replaces the failure's response when the address has had too many. Successful requests are never refused for it.
      if (toApiError(error).code === 'unauthenticated')
        await rateLimits.countFailure(callerAddress(request.ip));
      throw error;
    });
    registerSignUpRoutes(auth, context);
    registerSignInRoutes(auth, context);
    registerPasswordRoutes(auth, context);
    registerSessionRoutes(auth, context);
    registerEmailRoutes(auth, context);
    registerAccountRoutes(auth, context);
  });
}
