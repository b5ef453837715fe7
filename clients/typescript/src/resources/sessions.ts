// Anonymous sessions: one record, watched for 24 hours without an account.
import type { CallOptions, WaitOptions } from '../http/options.ts';
import type { Transport } from '../http/transport.ts';
import type { BodyOf, CreatedSession, Session } from '../models.ts';

export class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a session. Its token is the `apiKey` of a client for its record. Not repeated after a lost answer. */
  create(body: BodyOf<'createSession'>, options?: WaitOptions): Promise<CreatedSession> {
    return this.#transport.call('post', '/v1/sessions', { body }, options);
  }

  /** The session whose token the client has. */
  get(options?: CallOptions): Promise<Session> {
    return this.#transport.call('get', '/v1/sessions/self', {}, options);
  }
}
