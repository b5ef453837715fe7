// Requests of programs for an API key, which a person allows in the dashboard.
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import type { Transport } from '../http/transport.ts';
import type { BodyOf, CollectedKey, KeyRequest, StartedKeyRequest } from '../models.ts';

export class KeyRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Asks for a key, without a credential. Show the code and the address of the answer to the person. */
  start(body: BodyOf<'startKeyRequest'>, options?: CallOptions): Promise<StartedKeyRequest> {
    return this.#transport.call('post', '/v1/key-requests', { body }, options);
  }

  /** Collects the key when the person has allowed it, without a credential. Only this answer shows it, once. */
  collect(body: BodyOf<'collectKey'>, options?: CallOptions): Promise<CollectedKey> {
    return this.#transport.call('post', '/v1/key-requests/collect', { body }, options);
  }

  /** The request under a code, while it waits for an answer. */
  get(userCode: string, options?: CallOptions): Promise<KeyRequest> {
    return this.#transport.call('get', '/v1/key-requests', { query: { userCode } }, options);
  }

  /** Allows or refuses a request. */
  answer(body: BodyOf<'answerKeyRequest'>, options?: ChangeOptions): Promise<void> {
    return this.#transport.call('post', '/v1/key-requests/answer', { body }, options);
  }
}
