// Problem documents (RFC 9457) as answers show them.
import { Type } from 'typebox';
import { API_ERRORS } from '../../core/errors.ts';

const fieldErrorSchema = Type.Object(
  {
    pointer: Type.String({
      description: 'Where: a JSON pointer (RFC 6901) into the body, or the name of a parameter.',
    }),
    code: Type.String({
      description: 'What is wrong, for programs: `required`, `invalid_type`, `too_long`…',
    }),
    detail: Type.String({ description: 'What is wrong, for people.' }),
  },
  { title: 'FieldError' },
);

export const problemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A page that explains the code: cause and cure.' }),
    title: Type.String({ description: 'The code in words, the same every time.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What happened this time. For people: it may change.' }),
    code: Type.Enum(Object.keys(API_ERRORS), { description: 'Stable: programs may rely on it.' }),
    requestId: Type.String({ description: 'Also in `X-Request-Id`. Name it when you report a problem.' }),
    upgradeUrl: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'With `plan_required`: the page on which to get a paid tier, where the operator has set one.',
      }),
    ),
    errors: Type.Optional(
      Type.Array(fieldErrorSchema, { description: 'Every fault of the request that was found.' }),
    ),
  },
  { title: 'Problem', description: 'An error, as RFC 9457 has it (`application/problem+json`).' },
);
