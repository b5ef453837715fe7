// Faults of conditions in requests, and a condition in a query string, as JSON.
import { type Condition, type ConditionFault, readCondition } from '../../core/conditions/condition.ts';
import { ApiError, type FieldError } from '../../core/errors.ts';
import { invalidParameter } from '../contract/errors.ts';

/** @throws ApiError invalid_parameter that points into the condition */
export function readConditionText(text: string | undefined): Condition | null {
  if (text === undefined) return null;
  const read = readCondition(readJson(text));
  if ('condition' in read) return read.condition;
  const errors = conditionErrors(read.faults, 'condition');
  const words = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  throw new ApiError('invalid_parameter', `${words}.`, { errors });
}

export const conditionErrors = (faults: readonly ConditionFault[], field = '/condition'): FieldError[] =>
  faults.map(({ pointer, detail }) => ({ pointer: field + pointer, code: 'invalid_value', detail }));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParameter(
      'condition',
      'must be JSON such as {">":[{"var":"deletedCount"},20]}, encoded for a URL',
    );
  }
}
