// Configures the sign-in library. It is loaded at the first sign-in, so that a process without one saves its memory.
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
/** A session ends after this time without use, and after SESSION_LIFE_DAYS in any case. */
const IDLE_SECONDS = 24 * HOUR_SECONDS;
/** How often the last use is written. */
const NOTED_SECONDS = 300;

export interface LibraryOptions {
  services: Pick<Services, 'db' | 'config' | 'log'>;
  passwords: Pick<Passwords, 'hash' | 'verify'>;
  sendReset: (email: string, token: string) => Promise<void>;
  onReset: (userId: string) => Promise<void>;
}

export type Library = ReturnType<typeof openLibrary>;

/** We only call the library. Its own routes and rate limits are not used, so it serves nothing. */
export function openLibrary({ services, passwords, sendReset, onReset }: LibraryOptions) {
  const { db, config, log } = services;
  dropVariables();
  return betterAuth({
    appName: 'Recordwatch',
    baseURL: config.baseUrl,
    secret: deriveSecret(config),
    database: () => authStorage(db),
    telemetry: { enabled: false },
    // Its other levels report mistakes of callers, with their email addresses.
    logger: {
      level: 'error',
      log: (_level, message) => log.error({ library: 'better-auth', message }, 'sign-in'),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      // The library counts UTF-16 units, up to two for a character. Our schema has checked the length before.
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
      // It would use the prefix __Secure-.
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

/** Environment variables of the library override its options: they could change the signing secret and enable telemetry. */
function dropVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('BETTER_AUTH_')) delete process.env[name];
}

/** Signs cookies. After a change of the first key everybody has to sign in again. */
function deriveSecret({ keyEncryptionKeys }: Config): string {
  const [kek] = keyEncryptionKeys.values();
  if (kek === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
  return Buffer.from(hkdfSync('sha256', kek, '', 'dashboard v1, cookies', 32)).toString('base64url');
}

/** The library's form of a body schema (Standard Schema). It accepts anything, because we validate bodies before. */
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
