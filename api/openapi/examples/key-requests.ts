// The examples of requests for an API key: a person logs in on their laptop.
import type { JsonObject } from '../named-schemas.ts';
import { EXAMPLE_TIME } from './values.ts';

const userCode = 'WDJB-MJHT';
/** Not a real one: nobody has started this request. */
const deviceSecret = 'mQ3vXhT0rWb8yNfK2sLdUe7pJzAgCc51_Rk9xVn4TqE';
const machine = 'ada-laptop';
const expiresAt = '2026-03-02T09:10:04.000Z';

export const KEY_REQUEST_RESOURCES: JsonObject = {
  StartedKeyRequest: {
    deviceSecret,
    userCode,
    verificationUrl: `https://recordwatch.example/dashboard/allow-login?code=${userCode}`,
    expiresAt,
    expiresInSeconds: 600,
    intervalSeconds: 5,
  },
  CollectedKey: {
    status: 'issued',
    intervalSeconds: 5,
    key: 'cat_live_2mNf8QxWv4TrKp0ZsLb6YdHjCe1AgU7o5BaT3x',
  },
  KeyRequest: { userCode, machine, address: '203.0.113.7', createdAt: EXAMPLE_TIME, expiresAt },
};

export const KEY_REQUEST_BODIES = {
  startKeyRequest: { 'From a laptop': { machine } },
  collectKey: { 'With the secret from the start': { deviceSecret } },
  answerKeyRequest: {
    'Allow it everything': { userCode, answer: 'allow', scope: 'full' },
    'Refuse it': { userCode, answer: 'refuse' },
  },
};
