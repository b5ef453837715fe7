// Errors that would send a browser on without anybody's doing. Anyone may register a client, so such a redirect could
// lead from our address to anywhere: it becomes a link (RFC 9700 4.11.2).
import type { KoaContextWithOIDC } from 'oidc-provider';
import { faultPage, pageHeaders } from './pages.ts';
import { describePlace, isOwnMachine } from './redirect-place.ts';

/** For one path; what a person has answered is sent back from another. */
export function holdRedirects(path: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const location = URL.parse(ctx.response.get('location'));
    // Our own page is given without a host.
    if (ctx.path !== path || location === null || isOwnMachine(location)) return;
    const { searchParams } = location;
    const words = searchParams.get('error_description') ?? searchParams.get('error') ?? 'It was refused';
    ctx.remove('location');
    ctx.set(pageHeaders);
    ctx.status = 400;
    ctx.body = faultPage(words, { url: location.href, words: `Go back to ${describePlace(location)}` });
  };
}
