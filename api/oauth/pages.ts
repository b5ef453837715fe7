// The pages of the consent flow. Plain HTML without scripts.
import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml } from '../../core/text/escape-html.ts';

/** Any program on the person's own machine can pretend to be a client. */
export const isOwnMachine = ({ protocol, hostname }: URL): boolean =>
  /^https?:$/.test(protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** For custom schemes the host has no meaning: the system opens all links of a scheme in one app. */
export const describeDestination = ({ protocol, host }: URL): string =>
  /^https?:$/.test(protocol) ? host : `the app for ${protocol} links`;

/** A page with our own text. Text from elsewhere must pass through `escapeHtml`. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Recordwatch</title>
<link rel="stylesheet" href="/oauth/page.css">
<main>
<p class="name">Recordwatch</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</html>
`;
}

/** For forms that redirect to the client, at any address. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // With no-referrer, browsers send forms with `Origin: null`, as from another site.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  // No form-action: browsers also apply it to the redirect after the form, which leads to the client.
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'none'; base-uri 'none'; frame-ancestors 'none'",
} as const;

/** For requests that the library cannot redirect back to a client. */
export function renderFault(ctx: KoaContextWithOIDC, detail: string): void {
  ctx.set(pageHeaders);
  ctx.body = faultPage(detail);
}

/** @param back where the person can continue */
export function faultPage(detail: string, back?: { url: string; words: string }): string {
  const way =
    back === undefined
      ? 'Go back to the client and start again from there.'
      : `<a href="${escapeHtml(back.url)}">${escapeHtml(back.words)}</a>`;
  return page('This client cannot be connected', `<p>${escapeHtml(detail)}.</p><p>${way}</p>`);
}
