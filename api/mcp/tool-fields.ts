// Arguments that several tools take, in words for models.
import { Type } from 'typebox';
import type { PageLimits } from '../page.ts';

export const sourceField = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,100}$',
  description: 'Id or slug of the source.',
});

export const limitField = ({ fallback, max }: PageLimits) =>
  Type.Optional(
    Type.Integer({ minimum: 1, description: `How many: ${fallback} unless given, ${max} at most.` }),
  );

const cursorField = Type.Optional(
  Type.String({ minLength: 1, maxLength: 10_000, description: 'nextCursor of the page before.' }),
);

export const page = (limits: PageLimits) => ({ limit: limitField(limits), cursor: cursorField });
