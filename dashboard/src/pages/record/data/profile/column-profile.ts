// The API's profile of a column.
import type { components } from '../../../../client/schema.ts';

export type ColumnProfile = components['schemas']['ColumnProfile'];

export const isNumeric = ({ type }: ColumnProfile): boolean => type === 'integer' || type === 'number';
