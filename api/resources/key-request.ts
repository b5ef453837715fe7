// A request of a program for an API key, in responses: to the program, and to the person who answers it.
import { type Static, Type } from 'typebox';
import { USER_CODE_PATTERN } from '../../core/crypto/key-request-codes.ts';
import type { OpenKeyRequest } from '../../db/access/key-requests.ts';
import { nullable, time } from './shapes.ts';

export const userCodeField = Type.String({
  pattern: USER_CODE_PATTERN,
  description: 'The code that the program shows: two groups of four capital letters, joined by a hyphen.',
});

/** A name that a machine has in a network. A person reads it before they allow anything, so it cannot be a sentence. */
export const machineField = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
  description: 'the name of the machine: at most 63 letters, digits, dots, hyphens and underscores',
});

const intervalSeconds = Type.Integer({
  minimum: 1,
  description: 'How long the program waits before it asks (again). Asking earlier makes it longer.',
});

export const startedKeyRequestSchema = Type.Object(
  {
    deviceSecret: Type.String({ description: 'With it the program collects the key. Shown only here.' }),
    userCode: userCodeField,
    verificationUrl: Type.String({
      description: 'The page on which a person compares the code and answers. It has the code.',
    }),
    expiresAt: time,
    expiresInSeconds: Type.Integer({ minimum: 1 }),
    intervalSeconds,
  },
  { title: 'StartedKeyRequest' },
);

export const keyRequestSchema = Type.Object(
  {
    userCode: userCodeField,
    machine: machineField,
    address: Type.String({ description: 'The IP address from which the program asked.' }),
    createdAt: time,
    expiresAt: time,
  },
  { title: 'KeyRequest' },
);

export const collectedKeySchema = Type.Object(
  {
    status: Type.Enum(['pending', 'issued', 'refused', 'expired'], {
      description:
        '`pending`: nobody has answered, ask again; `issued`: `key` is the key; `refused` and `expired`: start again.',
    }),
    intervalSeconds,
    key: nullable(Type.String({ description: 'The new API key. Shown only here.' })),
  },
  { title: 'CollectedKey' },
);

export function presentKeyRequest(request: OpenKeyRequest): Static<typeof keyRequestSchema> {
  const { userCode, machine, address, createdAt, expiresAt } = request;
  return {
    userCode,
    machine,
    address,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
