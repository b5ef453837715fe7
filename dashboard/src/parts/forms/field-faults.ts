// Finds the field of a form that an API refusal is about.
import { isProblem } from '../../client/problem.ts';

/** The message for a field and everything inside it; undefined if it has no fault. @param pointer `/url` */
export function faultAt(error: unknown, pointer: string): string | undefined {
  const fault = faultsOf(error).find((each) => isWithin(each.pointer, pointer));
  return fault && sentence(fault.detail);
}

/** Whether there is a fault that none of these fields can show. */
export const isElsewhere = (error: unknown, pointers: readonly string[]): boolean =>
  faultsOf(error).length === 0 ||
  faultsOf(error).some(({ pointer }) => !pointers.some((each) => isWithin(pointer, each)));

const faultsOf = (error: unknown) => (isProblem(error) ? error.faults : []);

const isWithin = (pointer: string, field: string): boolean =>
  pointer === field || pointer.startsWith(`${field}/`);

const sentence = (detail: string): string => detail.charAt(0).toUpperCase() + detail.slice(1);
