// A check that a user requested, followed until it is done.
import { answerOf } from '../../client/answer-of.ts';
import type { Api } from '../../client/client.ts';
import { isProblem } from '../../client/problem.ts';
import type { components } from '../../client/schema.ts';
import { useRecordAction } from './use-record-action.ts';

type Check = components['schemas']['Check'];

export interface DoneCheck {
  /** The outcome is null if the check runs for longer than we follow it. */
  check: Check;
  /** The event; null if the check failed, is held, or still runs. */
  event: components['schemas']['DeltaEvent'] | null;
}

export const CHECK_NOW = ['check-now'];
const WAIT_SECONDS = 20;
const POLL_MS = 2_000;
const MAX_POLLS = 300;

export const useCheckNow = () =>
  useRecordAction<void, DoneCheck>(async (api, params) => {
    const asked = await answerOf(
      api.POST('/v1/sources/{id}/check', {
        params: { ...params, header: { Prefer: `wait=${WAIT_SECONDS}` } },
      }),
    );
    const check = asked.outcome === null ? await follow(api, asked) : asked;
    return { check, event: await eventOf(api, check) };
  }, CHECK_NOW);

async function follow(api: Api, asked: Check): Promise<Check> {
  const params = { path: { id: asked.sourceId, checkId: asked.id } };
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const check = await answerOf(api.GET('/v1/sources/{id}/checks/{checkId}', { params })).catch(notYet);
    if (check !== undefined) return check;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return asked;
}

/** A check is not found until it is done. @throws Problem */
function notYet(error: unknown): undefined {
  if (!isProblem(error, 'not_found') && !isProblem(error, 'unreachable')) throw error;
}

async function eventOf(api: Api, { sourceId, deltaEventId }: Check): Promise<DoneCheck['event']> {
  if (deltaEventId === null) return null;
  const params = { path: { id: sourceId, deltaEventId }, query: { keysLimit: 0 } };
  return answerOf(api.GET('/v1/sources/{id}/delta/{deltaEventId}', { params }));
}
