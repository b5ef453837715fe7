// Starts to watch a URL without an account, and stores the session in this browser.
import { answerOf } from '../../client/answer-of.ts';
import { createApi } from '../../client/client.ts';
import {
  type AnonymousSession,
  holdSession,
  heldSession,
  sessionCredentials,
} from '../../client/credentials.ts';
import type { TrackedRecord } from '../../parts/record/record-state.ts';

interface Begun {
  session: AnonymousSession;
  record: TrackedRecord;
}

/** Waits for the first check, or for as long as the API waits. @throws Problem */
export async function beginSession(url: string): Promise<Begun> {
  const before = heldSession();
  const { source, token, expiresAt } = await answerOf(
    createApi().POST('/v1/sessions', { body: { url }, params: { header: { Prefer: 'wait=20' } } }),
  );
  const session = { id: source.id, token, expiresAt };
  holdSession(session);
  // Nobody waits for it.
  if (before !== undefined) void eraseEmpty(before);
  return { session, record: source };
}

/** Deletes the session's record if it never had data: a mistyped URL should not be fetched every hour. */
async function eraseEmpty(session: AnonymousSession): Promise<void> {
  const api = createApi(sessionCredentials(session));
  const params = { path: { id: 'self' } };
  try {
    const { data } = await api.GET('/v1/sources/{id}', { params });
    if (data?.latestSnapshotId === null) await api.DELETE('/v1/sources/{id}', { params });
  } catch {
    // The session ends by itself within a day.
  }
}
