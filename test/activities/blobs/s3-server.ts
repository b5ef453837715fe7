// A small real server with the part of S3 that the store needs: put, get, delete, list (in pages), multipart upload.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Server {
  url: string;
  /** `/bucket/key` to bytes. */
  objects: Map<string, Buffer>;
  uploads: Uploads;
  /** Method and path of every request. */
  requests: string[];
  /** Paths of objects whose reader closed the connection before their end. */
  brokenOff: string[];
  /** Answers the next requests with this status. */
  failNext: (times: number, status: number) => void;
  close: () => Promise<void>;
}

const PAGE_SIZE = 2;

/** Incomplete uploads, by id. */
type Uploads = Map<string, { path: string; initiated: Date; parts: Map<number, Buffer> }>;

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads: Uploads = new Map();
  const requests: string[] = [];
  const brokenOff: string[] = [];
  const failure = { times: 0, status: 500 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://s3');
    requests.push(`${request.method} ${url.pathname}`);
    const body = await readAll(request);
    if (request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=id/') !== true) {
      return sendXml(response, 403, '<Error><Code>AccessDenied</Code></Error>');
    }
    if (failure.times > 0) {
      failure.times -= 1;
      return sendXml(response, failure.status, '<Error><Code>InternalError</Code></Error>');
    }
    const uploadId = url.searchParams.get('uploadId');
    if (url.searchParams.has('uploads')) {
      return request.method === 'GET'
        ? sendUploads(response, url, uploads)
        : startUpload(response, url, uploads);
    }
    if (uploadId !== null)
      return goOnWithUpload(request, response, { url, body, uploadId, uploads, objects });
    if (url.searchParams.get('list-type') === '2') return sendList(response, url, objects);
    response.on('close', () => {
      if (!response.writableFinished) brokenOff.push(url.pathname);
    });
    return handleObject(request, response, url.pathname, body, objects);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    requests,
    brokenOff,
    failNext: (times, status) => Object.assign(failure, { times, status }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function handleObject(
  { method, headers: { range = 'bytes=0-' } }: IncomingMessage,
  response: ServerResponse,
  path: string,
  body: Buffer,
  objects: Map<string, Buffer>,
): void {
  const found = objects.get(path);
  if (method === 'PUT') {
    objects.set(path, body);
    response.writeHead(200, { etag: etagOf(body) }).end();
  } else if (method === 'DELETE') {
    objects.delete(path);
    response.writeHead(204).end();
  } else if (found === undefined) {
    sendXml(response, 404, '<Error><Code>NoSuchKey</Code></Error>');
  } else {
    const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1]);
    const part = found.subarray(from);
    const contentRange = `bytes ${from}-${found.length - 1}/${found.length}`;
    response
      .writeHead(from === 0 ? 200 : 206, {
        'content-length': String(part.length),
        'content-range': contentRange,
        etag: etagOf(found),
      })
      .end(part);
  }
}

function sendList(response: ServerResponse, url: URL, objects: ReadonlyMap<string, Buffer>): void {
  const bucket = `${url.pathname.replace(/\/$/, '')}/`;
  const prefix = url.searchParams.get('prefix') ?? '';
  const after = url.searchParams.get('continuation-token') ?? url.searchParams.get('start-after') ?? '';
  const keys = [...objects.keys()]
    .filter((path) => path.startsWith(bucket + prefix))
    .map((path) => path.slice(bucket.length))
    .filter((key) => key > after)
    .sort();
  const page = keys.slice(0, PAGE_SIZE);
  const more = keys.length > PAGE_SIZE;
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  sendXml(
    response,
    200,
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents}</ListBucketResult>`,
  );
}

function startUpload(response: ServerResponse, url: URL, uploads: Uploads): void {
  const id = `upload-${uploads.size + 1}`;
  uploads.set(id, { path: url.pathname, initiated: new Date(), parts: new Map() });
  sendXml(
    response,
    200,
    `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
  );
}

interface UploadStep {
  url: URL;
  body: Buffer;
  uploadId: string;
  uploads: Uploads;
  objects: Map<string, Buffer>;
}

function goOnWithUpload(
  { method }: IncomingMessage,
  response: ServerResponse,
  { url, body, uploadId, uploads, objects }: UploadStep,
): void {
  const parts = uploads.get(uploadId)?.parts;
  if (parts === undefined) return sendXml(response, 404, '<Error><Code>NoSuchUpload</Code></Error>');
  if (method === 'PUT') {
    parts.set(Number(url.searchParams.get('partNumber')), body);
    response.writeHead(200, { etag: etagOf(body) }).end();
  } else if (method === 'POST') {
    const ordered = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    objects.set(url.pathname, Buffer.concat(ordered));
    uploads.delete(uploadId);
    sendXml(response, 200, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
  } else {
    uploads.delete(uploadId);
    response.writeHead(204).end();
  }
}

/** In pages of one. */
function sendUploads(response: ServerResponse, url: URL, uploads: Uploads): void {
  const after = url.searchParams.get('upload-id-marker') ?? '';
  const [next, ...others] = [...uploads]
    .filter(([id]) => id > after)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown =
    next === undefined
      ? ''
      : `<Upload><Key>${next[1].path.split('/').slice(2).join('/')}</Key><UploadId>${next[0]}</UploadId>` +
        `<Initiated>${next[1].initiated.toISOString()}</Initiated></Upload>` +
        `<NextKeyMarker>any</NextKeyMarker><NextUploadIdMarker>${next[0]}</NextUploadIdMarker>`;
  const xml = `<IsTruncated>${others.length > 0}</IsTruncated>${shown}`;
  sendXml(response, 200, `<ListMultipartUploadsResult>${xml}</ListMultipartUploadsResult>`);
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request yields Buffers
  return Buffer.concat(chunks);
}
