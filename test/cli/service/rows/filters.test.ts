// Filters on the command line reach the API as they are written, or are refused.
import { expect, it } from 'vitest';
import { filterQuery } from '../../../../cli/service/rows/filters.ts';

it('are parameters of the API by column and operator', () => {
  expect(filterQuery(['price>=10', 'price<20', 'name~a=b'])).toEqual({
    price: { gte: '10', lt: '20' },
    name: { contains: 'a=b' },
  });
  expect(filterQuery([])).toBeUndefined();
});

it('may name any column', () => {
  expect(JSON.stringify(filterQuery(['__proto__=x', 'constructor!=y']))).toBe(
    '{"__proto__":{"eq":"x"},"constructor":{"ne":"y"}}',
  );
});

it('are refused when one would replace another', () => {
  expect(() => filterQuery(['price!=1', 'price!=2'])).toThrow('price!=2 repeats the column and the operator');
  expect(() => filterQuery(['price'])).toThrow('is no filter');
});
