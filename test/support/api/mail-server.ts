// A real mail server that keeps what it accepts, and refuses on demand.
import { SMTPServer } from 'smtp-server';
import { freePort } from '../servers/free-port.ts';

interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers by lower-case name, unfolded. */
  headers: ReadonlyMap<string, string>;
  /** The decoded texts of its parts, by content type. */
  parts: ReadonlyMap<string, string>;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** The reply to RCPT TO; null: it accepts. */
  refuseWith: (code: number | null) => void;
  close: () => Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const port = await freePort();
  const received: ReceivedMail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) =>
      done(
        refusal === null ? null : Object.assign(new Error('no such mailbox here'), { responseCode: refusal }),
      ),
    onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...readMail(Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseWith: (code) => {
      refusal = code;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'parts'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? 'none';
  // The line end before a boundary belongs to the boundary.
  const parts = `\n${body}`.split(`\n--${boundary}`).slice(1, -1);
  return {
    headers,
    parts: new Map(
      parts.map((part) => {
        const { headers: own, body: text } = split(part.trimStart());
        const type = own.get('content-type')?.split(';')[0] ?? '';
        return [type, decoded(text, own.get('content-transfer-encoding'))];
      }),
    ),
  };
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\n\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { headers: new Map(headers), body: raw.slice(end + 2) };
}

function decoded(text: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
