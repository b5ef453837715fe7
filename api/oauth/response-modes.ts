// How authorization is answered, told in discovery: its library names every way that it knows, also those that
// authorizeUrl takes out of requests.
import type { KoaContextWithOIDC } from 'oidc-provider';

const SERVED = ['query'];

export async function tellResponseModes(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { body } = ctx;
  if (typeof body !== 'object' || body === null || !('response_modes_supported' in body)) return;
  body.response_modes_supported = SERVED;
}
