// What a column is called where people choose it or read it: JSON may have a member without a name.

export const nameOfColumn = (column: string): string => (column === '' ? '(no name)' : column);

/** A column as an option of a field: its value is its own name. */
export const columnOption = (column: string) => ({ value: column, label: nameOfColumn(column) });
