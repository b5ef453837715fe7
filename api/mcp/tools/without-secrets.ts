// What models are asked for: never a secret, which would stand in the conversation.
import type { TProperties } from 'typebox';
import { authBody } from '../../records/record-body.ts';

type Secret = keyof typeof authBody;

/** The fields of a body, without those of source credentials. */
export function withoutSecrets<P extends TProperties>(properties: P): Omit<P, Secret> {
  // What is left has the types that it had.
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !Object.hasOwn(authBody, name)),
  ) as Omit<P, Secret>;
}
