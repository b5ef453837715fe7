// The health call against a server that speaks HTTP/2 as gRPC servers do.
import { createServer, type Http2Server } from 'node:http2';
import { expect, onTestFinished, test } from 'vitest';
import { isServing } from '../../../cli/temporal/health.ts';

/** A gRPC server whose health answer is this message. */
async function healthServer(message: readonly number[]): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server: Http2Server = createServer();
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      asked.push(`${headers[':path']} ${Buffer.concat(chunks).subarray(7).toString()}`);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.from([0, 0, 0, 0, message.length, ...message]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { address: `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked };
}

test('a server that serves', async () => {
  const { address, asked } = await healthServer([0x08, 0x01]);
  expect(await isServing(address)).toBe(true);
  expect(asked).toEqual(['/grpc.health.v1.Health/Check temporal.api.workflowservice.v1.WorkflowService']);
});

test.each([
  ['is not serving yet', [0x08, 0x02]],
  ['does not know', []],
])('a server that %s', async (_, message) => {
  expect(await isServing((await healthServer(message)).address)).toBe(false);
});

test('no server at all', async () => {
  expect(await isServing('127.0.0.1:1')).toBe(false);
});
