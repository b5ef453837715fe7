// A column's name where users choose or read it: JSON may have a member without a name.
import { shownName } from '../../client/shown-name.ts';

export const nameOfColumn = (column: string): string => (column === '' ? '(no name)' : shownName(column));

/** A column as an option of a field. Its value is its real name. */
export const columnOption = (column: string) => ({ value: column, label: nameOfColumn(column) });
