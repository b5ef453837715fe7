// The page on which the reader of a mail ends the mails of a webhook. Mail programs end them with the same POST (RFC 8058). GET
// changes nothing, because scanners follow the links of mails.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerAddress } from '../../core/network/caller-address.ts';
import { type MailsOfWebhook, mailsOfLink, UNSUBSCRIBE_PATH } from '../../core/notices/unsubscribe.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';
import { endMails } from '../../db/webhooks/end-mails.ts';
import { requireAllowance } from '../access/rate-limits.ts';
import { originOfRequest } from '../contract/audit.ts';
import type { AppContext } from '../http/routes.ts';
import { page, pageHeaders } from '../oauth/pages.ts';

/** `List-Unsubscribe=One-Click`, in either encoding of forms. It is not looked at. */
const BODY_LIMIT_BYTES = 4_096;

export function registerUnsubscribePage(
  app: FastifyInstance,
  { services: { db, cursors }, rateLimits }: AppContext,
): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES } as const;
  app.addContentTypeParser('*', options, (_request, _body, done) => done(null));
  app.addHook('preParsing', async ({ ip }) => {
    requireAllowance(await rateLimits.countVisit(callerAddress(ip)));
  });
  const mailsOf = (request: FastifyRequest): MailsOfWebhook | undefined =>
    // Fastify's parameters are strings.
    mailsOfLink(cursors, (request.params as { token: string }).token);
  const path = `${UNSUBSCRIBE_PATH}/:token`;
  app.get(path, (request, reply) => {
    return mailsOf(request) === undefined ? answerUnknown(reply) : answer(reply, 200, QUESTION);
  });
  app.post(path, async (request, reply) => {
    const mails = mailsOf(request);
    if (mails === undefined) return answerUnknown(reply);
    await endMails(db, mails, (trx, { accountId, description }) =>
      insertAuditEntry(trx, {
        accountId,
        action: 'webhook.update',
        actorId: null,
        target: { id: mails.webhookId, name: description },
        changes: [{ field: 'enabled', before: true, after: false }],
        origin: originOfRequest(request, 'mail'),
      }),
    );
    return answer(reply, 200, ENDED);
  });
}

const answer = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(html);

const answerUnknown = (reply: FastifyReply): FastifyReply => answer(reply, 404, UNKNOWN);

/** Without an action, a form is sent to the address of its page. */
const QUESTION = page(
  'Stop these mails?',
  `<p>No more mails of this kind will come to your address. They can be turned on again in the dashboard.</p>
<form method="post"><p class="buttons"><button>Stop these mails</button></p></form>`,
);

const ENDED = page('You get no more of these mails', '<p>They can be turned on again in the dashboard.</p>');

const UNKNOWN = page(
  'This link does not work',
  '<p>It is not whole, or too old. Sign in to the dashboard, and disable the webhook that sends the mails.</p>',
);
