// An ephemeral session as answers show it.
import { Type } from 'typebox';
import { recordSchema } from './record.ts';
import { time } from './shapes.ts';

const expiresAt = Type.String({
  ...time,
  description: 'When the token stops working and the record is erased, unless it is kept before.',
});

export const createdSessionSchema = Type.Object(
  {
    token: Type.String({ description: 'The credential of the session. Shown this once.' }),
    expiresAt,
    source: recordSchema,
    mcpUrl: Type.String({
      description:
        'For MCP clients that cannot send headers. It holds the token: whoever has it controls the record.',
    }),
  },
  { title: 'CreatedSession' },
);

export const sessionSchema = Type.Object(
  {
    expiresAt,
    secondsLeft: Type.Integer({ description: 'By the clock of the service.' }),
    source: recordSchema,
    mcpCalls: Type.Object(
      { limit: Type.Integer(), used: Type.Integer(), left: Type.Integer() },
      { description: 'Tool calls over MCP, counted over the whole session.' },
    ),
  },
  { title: 'Session' },
);
