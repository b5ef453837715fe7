// An entry of the audit log in responses.
import { type Static, Type } from 'typebox';
import { AUDIT_ACTIONS, AUDIT_ACTORS, AUDIT_DOORS, AUDIT_TARGETS, targetOf } from '../../core/audit.ts';
import type { AuditEntry } from '../../db/accounts/audit-log.ts';
import { nullable, time } from './shapes.ts';

const text = nullable(Type.String());

export const auditEntrySchema = Type.Object(
  {
    id: Type.String(),
    createdAt: time,
    action: Type.Enum([...AUDIT_ACTIONS]),
    actor: Type.Object(
      { type: Type.Enum([...AUDIT_ACTORS]), id: text, name: text },
      { description: 'Who made the change, with the name that they had then.' },
    ),
    target: Type.Object(
      { type: Type.Enum([...AUDIT_TARGETS]), id: Type.String(), name: text },
      { description: 'What was changed, with the name that it had then.' },
    ),
    door: Type.Enum([...AUDIT_DOORS], { description: 'Where the change was made.' }),
    ip: Type.Union([Type.String(), Type.Null()], { description: 'Null for the operator.' }),
    userAgent: text,
    requestId: Type.Union([Type.String(), Type.Null()], {
      description: '`X-Request-Id` of the response to the change.',
    }),
    changes: Type.Array(
      Type.Object({
        field: Type.String(),
        before: Type.Optional(Type.Unknown()),
        after: Type.Optional(Type.Unknown()),
      }),
      {
        description:
          'Settings that were changed. `before` and `after` are missing for secrets, shortened when they are long, ' +
          'and of URLs only the origin is shown.',
      },
    ),
    count: Type.Integer({
      minimum: 1,
      description: 'Repeated requests of an hour for a check or a delivery share an entry.',
    }),
    lastAt: Type.String({ ...time, description: 'The time of the last of them.' }),
  },
  { title: 'AuditEntry' },
);

export function presentAuditEntry(entry: AuditEntry): Static<typeof auditEntrySchema> {
  const { id, action, door, ip, userAgent, requestId, changes, count } = entry;
  return {
    id,
    createdAt: entry.createdAt.toISOString(),
    action,
    // The operator's name is for the operator.
    actor: {
      type: entry.actorType,
      id: entry.actorId,
      name: entry.actorType === 'operator' ? null : entry.actorName,
    },
    target: { type: targetOf(action), id: entry.targetId, name: entry.targetName },
    door,
    ip,
    userAgent,
    requestId,
    changes: changes ?? [],
    count,
    lastAt: entry.lastAt.toISOString(),
  };
}
