// `account delete`
import { createInterface } from 'node:readline/promises';
import { deletedMail } from '../../api/auth/mail/mails.ts';
import { safeText } from '../../core/text/safe-text.ts';
import { markAccountDeleted } from '../../db/accounts/accounts.ts';
import { type AccountOverview, findAccountOverview } from '../../db/access/account-overviews.ts';
import { auditOperator } from '../operator/audit.ts';
import { misuse, noSuchThing } from '../operator/fail.ts';
import { print, type Printing } from '../operator/print.ts';
import { sendNotices } from '../operator/send-notices.ts';
import { tellWorkflows } from '../operator/tell-workflows.ts';
import { withDatabase } from '../operator/with-database.ts';

export interface DeleteOptions extends Printing {
  yes?: true;
}

/** @throws CommanderError when there is no such account, or nobody confirms */
export async function deleteAccount(id: string, { yes, ...printing }: DeleteOptions): Promise<void> {
  const { account, deleted, settings } = await withDatabase(async (db, found) => {
    const overview = await findAccountOverview(db, id);
    if (overview === undefined) throw noSuchThing(`account ${id}`);
    if (yes === undefined) await confirm(overview);
    const marked = await db.transaction(async (trx) => {
      await auditOperator(trx, { action: 'account.delete', accountId: id, target: overview });
      const gone = await markAccountDeleted(trx, id, overview.recordCount);
      if (gone === undefined) throw noSuchThing(`account ${id}`);
      return gone;
    });
    return { account: overview, deleted: marked, settings: found };
  });
  const { emails, recordIds } = deleted;
  const untold = await tellWorkflows(settings, async (workflows) => {
    for (const recordId of recordIds) await workflows.tell(recordId, 'deleted');
  });
  const unsent = await sendNotices(settings, emails.map(deletedMail));
  const notes = [
    ...(untold === undefined
      ? []
      : [`Its workflows could not be notified (${untold}); reconciling notifies them.`]),
    ...(unsent === undefined ? [] : [`Its users got no mail: ${unsent}.`]),
  ];
  print(printing, { id, name: account.name, recordCount: recordIds.length, emails, notes }, () =>
    [
      `${id} (${safeText(account.name)}) is deleted and no longer works. Its ${recordIds.length} records are erased by the worker.`,
      ...notes,
    ].join('\n'),
  );
}

async function confirm({ id, name, recordCount, keyCount }: AccountOverview): Promise<void> {
  if (!process.stdin.isTTY) throw misuse('Nobody can be asked here: give --yes to delete the account.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(
      `${id} (${safeText(name)}) has ${recordCount} records and ${keyCount} keys that work.\n` +
        'All of it is deleted, with its users. This cannot be undone.\nType the id of the account to continue: ',
    );
    if (typed.trim() !== id) throw misuse('That is not its id: nothing was deleted.');
  } finally {
    terminal.close();
  }
}
