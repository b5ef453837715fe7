// Who may open payloads: an operator who presents TEMPORAL_CODEC_TOKEN, in a header or once in a form, which gives a cookie.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const COOKIE = 'recordwatch_codec';
const COOKIE_SECONDS = 12 * 3_600;

export interface OperatorToken {
  matches: (presented: string) => boolean;
  /** Whether a request has the token or an unexpired cookie. With a cookie it must come from a page of `uiOrigin`. */
  admits: (headers: IncomingHttpHeaders, uiOrigin: string | undefined) => boolean;
  /** The value of Set-Cookie. @param isSecure the browser came by https */
  cookie: (isSecure: boolean) => string;
}

export function createOperatorToken(token: string, clock: () => number): OperatorToken {
  const digest = (text: string): Buffer => createHmac('sha256', token).update(text).digest();
  // Digests have one length, and differ everywhere when the texts differ anywhere.
  const isAlike = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
  const signed = (expiresAt: string): string =>
    `${expiresAt}.${digest(`cookie ${expiresAt}`).toString('base64url')}`;
  const isValidCookie = (value: string): boolean => {
    const [expiresAt = ''] = value.split('.');
    return Number(expiresAt) * 1_000 > clock() && isAlike(value, signed(expiresAt));
  };
  return {
    matches: (presented) => isAlike(presented, token),
    admits: ({ authorization, cookie, origin }, uiOrigin) => {
      const [, bearer] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
      if (bearer !== undefined) return isAlike(bearer, token);
      const value = readCookie(cookie ?? '');
      return value !== undefined && origin !== undefined && origin === uiOrigin && isValidCookie(value);
    },
    cookie: (isSecure) => {
      const expiresAt = String(Math.floor(clock() / 1_000) + COOKIE_SECONDS);
      const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}${isSecure ? '; Secure' : ''}`;
      return `${COOKIE}=${signed(expiresAt)}; ${attributes}`;
    },
  };
}

function readCookie(header: string): string | undefined {
  const prefix = `${COOKIE}=`;
  return header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
    ?.slice(prefix.length);
}
