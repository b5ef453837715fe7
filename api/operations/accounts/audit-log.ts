// GET /v1/auditlog
import { Type } from 'typebox';
import { AUDIT_DAYS, type AuditEntry, listAuditEntries } from '../../../db/accounts/audit-log.ts';
import { defineOperation } from '../../contract/operation.ts';
import { orderedPageQuery } from '../../input/fields.ts';
import { envelope, readPage, USUAL_LIMITS } from '../../input/page.ts';
import { auditEntrySchema, presentAuditEntry } from '../../resources/audit-entry.ts';

export const listAuditLog = defineOperation({
  name: 'listAuditLog',
  tag: 'Account',
  scope: 'full',
  accountOnly: true,
  summary: 'List who changed what in the account',
  description: `Every change by a key, a person, an MCP client or the operator, with where it came from. Entries are kept ${AUDIT_DAYS} days. Those of a deleted record stay; those of a deleted account are erased with it.`,
  http: { method: 'GET', path: '/v1/auditlog' },
  query: orderedPageQuery,
  output: Type.Object({ ...envelope, entries: Type.Array(auditEntrySchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const { accountId } = ctx.principal;
    const { items, ...page } = await readPage<AuditEntry, [string]>(
      ctx,
      { listing: 'auditLog', filters: { accountId, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) => listAuditEntries(ctx.db, accountId, order, { after: after?.[0] ?? null, limit }),
      (entry) => [entry.id],
    );
    return { ...page, entries: items.map(presentAuditEntry) };
  },
});
