// Names on the consent page, which strangers choose.
import { expect, it } from 'vitest';
import { consentPage } from '../../../api/oauth/consent-page.ts';

it('regression: shows what turns the direction of text in the names of client and user', () => {
  const page = consentPage({
    uid: 'u1',
    clientName: 'Safe\u202Efdp.<b>',
    clientHost: undefined,
    redirectUri: 'https://client.example/callback',
    requested: new Set(),
    signedIn: { email: 'ada\u2066@example.com', accountId: 'acc_1', sessionId: 'lgn_1', proof: 'session' },
  });
  expect(page).toContain(String.raw`<strong><bdi>Safe\u202efdp.&#60;b&#62;</bdi></strong>`);
  expect(page).toContain(String.raw`<strong><bdi>ada\u2066@example.com</bdi></strong>`);
});
