// The library of sign-in, set up. Loaded when somebody first signs in: a process that only serves programs goes without.
import { hkdfSync } from 'node:crypto';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { betterAuth } from 'better-auth/minimal';
import type { Config } from '../../core/config.ts';
import type { Services } from '../contract/context.ts';
import { ADDRESS_HEADER, cookieName } from './cookie.ts';
import { signedOut } from './library-errors.ts';
import { PASSWORD_LENGTH, type Passwords } from './passwords.ts';
import { authStorage } from './storage.ts';

const HOUR_SECONDS = 3_600;
/** Without use; SESSION_LIFE_DAYS with it. */
const IDLE_SECONDS = 24 * HOUR_SECONDS;
/** Use is noted this often. */
const NOTED_SECONDS = 300;

export interface LibraryOptions {
  services: Pick<Services, 'db' | 'config' | 'log'>;
  passwords: Passwords;
  sendReset: (email: string, token: string) => Promise<void>;
  onReset: (userId: string) => Promise<void>;
}

export type Library = ReturnType<typeof openLibrary>;

/** Only called: its own routes and limits are not used, so that nothing is served that is not meant to be. */
export function openLibrary({ services, passwords, sendReset, onReset }: LibraryOptions) {
  const { db, config, log } = services;
  dropVariables();
  return betterAuth({
    appName: 'Recordwatch',
    baseURL: config.baseUrl,
    secret: deriveSecret(config),
    database: () => authStorage(db),
    telemetry: { enabled: false },
    // Its other levels tell of callers' mistakes, with their addresses.
    logger: {
      level: 'error',
      log: (_level, message) => log.error({ library: 'better-auth', message }, 'sign-in'),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      // It counts UTF-16, of which a character takes up to two; ours are counted before it sees them.
      maxPasswordLength: 2 * PASSWORD_LENGTH.max,
      password: passwords,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: HOUR_SECONDS,
      sendResetPassword: ({ user, token }) => sendReset(user.email, token),
      onPasswordReset: ({ user }) => onReset(user.id),
    },
    user: { additionalFields: { accountId: { type: 'string', input: false } } },
    session: { expiresIn: IDLE_SECONDS, updateAge: NOTED_SECONDS, cookieCache: { enabled: false } },
    rateLimit: { enabled: false },
    advanced: {
      // Their prefix would be __Secure-.
      useSecureCookies: false,
      cookies: {
        session_token: {
          name: cookieName(config.baseUrl),
          attributes: { secure: config.baseUrl.startsWith('https:') },
        },
      },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER], ipv6Subnet: 128 },
    },
    plugins: [sessions()],
  });
}

/** The library's own variables are stronger than what it is called with: they would sign cookies, and send reports. */
function dropVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('BETTER_AUTH_')) delete process.env[name];
}

/** Signs cookies. When another key comes first, everybody signs in again. */
function deriveSecret({ keyEncryptionKeys }: Config): string {
  const [kek] = keyEncryptionKeys.values();
  if (kek === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
  return Buffer.from(hkdfSync('sha256', kek, '', 'dashboard v1, cookies', 32)).toString('base64url');
}

/** As the library describes bodies (Standard Schema). What it is called with comes from us. */
const ANYTHING = {
  '~standard': {
    version: 1,
    vendor: 'recordwatch',
    validate: (value: unknown) => ({ value }),
  },
} as const;

function sessions() {
  return {
    id: 'sessions',
    endpoints: {
      beginSession: createAuthEndpoint(
        '/begin-session',
        { method: 'POST', requireHeaders: true, body: ANYTHING },
        async (ctx) => {
          const { userId } = ctx.body as { userId: string };
          const { internalAdapter } = ctx.context;
          const user = await internalAdapter.findUserById(userId);
          if (user === null) throw signedOut();
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return { token: session.token };
        },
      ),
    },
  };
}
