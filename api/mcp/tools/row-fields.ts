// How a tool is told which rows are wanted: the schemas of the operations, in words that fit JSON arguments.
import { Type } from 'typebox';
import {
  filterField as filterOfOperations,
  searchField as searchOfOperations,
} from '../../input/row-selection.ts';

export const filterField = Type.Optional({
  ...filterOfOperations,
  description:
    'Operators by column, all of which must hold: {"price": {"gt": "10"}}. Values are texts. eq, ne, in, contains and startsWith compare texts exactly; gt, gte, lt and lte compare plain numbers as numbers, else as text. exists: the row has the column; empty: missing, null or empty.',
});

export const searchField = Type.Optional({
  ...searchOfOperations,
  description: 'Rows of which some value, or the key, holds this text, in any case.',
});
