// Asks a Temporal server over gRPC whether it serves, without loading a gRPC library into the runner.
import { connect, type ClientHttp2Session, type SecureClientSessionOptions } from 'node:http2';

const SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';
const PROBE_TIMEOUT_MS = 2_000;
/** HealthCheckResponse { status: SERVING } as protobuf. */
const SERVING = Buffer.from([0x08, 0x01]);

/**
 * Makes one call of the standard health protocol (grpc.health.v1.Health/Check).
 * @param address host:port
 * @param tls certificates; default: the connection is not encrypted
 * @returns whether the server says SERVING; false when it cannot be reached
 */
export async function isServing(address: string, tls?: SecureClientSessionOptions): Promise<boolean> {
  const session = connect(`${tls === undefined ? 'http' : 'https'}://${address}`, tls);
  try {
    return await new Promise<boolean>((resolve) => {
      session.setTimeout(PROBE_TIMEOUT_MS, () => resolve(false));
      session.once('error', () => resolve(false));
      check(session, (body) => resolve(body.subarray(5).equals(SERVING)));
    });
  } finally {
    session.destroy();
  }
}

function check(session: ClientHttp2Session, onAnswer: (body: Buffer) => void): void {
  const call = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const chunks: Buffer[] = [];
  call.on('error', () => onAnswer(Buffer.alloc(0)));
  call.on('data', (chunk: Buffer) => chunks.push(chunk));
  call.on('end', () => onAnswer(Buffer.concat(chunks)));
  call.end(requestFrame());
}

/** One gRPC message: not compressed, its length, then HealthCheckRequest { service } as protobuf. */
function requestFrame(): Buffer {
  const message = Buffer.concat([Buffer.from([0x0a, SERVICE.length]), Buffer.from(SERVICE)]);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
}
