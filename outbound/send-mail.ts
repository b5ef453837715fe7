// Sends one mail by SMTP, through the server of the operator.
import type { Config } from '../core/config.ts';

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The same for every attempt to send the mail. */
  messageId?: string;
  headers?: Readonly<Record<string, string>>;
}

export type SmtpSettings = Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>;

interface Refusal {
  /** The code of nodemailer, the SMTP command, and the code of the reply; empty and null where there is none. */
  code: string;
  command: string;
  status: number | null;
}

/** The mail server refused a mail. A reply often contains the address or parts of the mail, so its words are left out. */
export class MailRefused extends Error {
  /** Whether it refused this mail or its reader for good, and not this sender. */
  readonly isFinal: boolean;
  readonly status: number | null;

  constructor({ code, command, status }: Refusal) {
    super(`The mail server refused: ${code} ${status ?? ''} ${command}`);
    this.name = 'MailRefused';
    this.status = status;
    // 5xx to another command concerns the operator's own name, address or password.
    this.isFinal = status !== null && status >= 500 && (command === 'RCPT TO' || command === 'DATA');
  }
}

/** The mail server may have got the mail all the same. */
export class MailTooSlow extends Error {
  constructor(timeoutMs: number) {
    super(`The mail server did not take the mail within ${timeoutMs / 1_000} s`);
    this.name = 'MailTooSlow';
  }
}

/**
 * @param timeoutMs for connection, TLS and all replies together: a server may send parts of a reply without end
 * @returns the code of the server's reply
 * @throws MailRefused, MailTooSlow; Error when the server cannot be reached
 */
export async function sendMail(
  { smtpUrl, mailFrom, baseUrl }: SmtpSettings,
  mail: OutgoingMail,
  timeoutMs: number,
): Promise<number> {
  const from = mailFrom === '' ? `Recordwatch <no-reply@${new URL(baseUrl).hostname}>` : mailFrom;
  // Loaded late, because most processes send no mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: needsTls(smtpUrl),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { response } = await transport.sendMail({ from, ...mail, headers: { ...mail.headers }, signal });
    return Number.parseInt(response, 10);
  } catch (error) {
    throw signal.aborted ? new MailTooSlow(timeoutMs) : withoutWords(error);
  } finally {
    transport.close();
  }
}

/** The machine itself: nobody is on the way. */
const OWN_MACHINE = /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/;

/**
 * Whether nothing may be sent before STARTTLS. Somebody on the way can hide that the server offers it, and would get the password.
 * A member of the URL overrides this: `?requireTLS=false`.
 */
function needsTls(smtpUrl: string): boolean {
  const { username, hostname } = new URL(smtpUrl);
  return username !== '' && !OWN_MACHINE.test(hostname);
}

function withoutWords(error: unknown): unknown {
  if (!(error instanceof Error) || !('response' in error)) return error;
  const { code = '', responseCode, command = '' } = error as Error & Record<string, unknown>;
  const status = typeof responseCode === 'number' ? responseCode : null;
  return new MailRefused({ code: String(code), command: String(command), status });
}
