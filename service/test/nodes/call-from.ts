import { request, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';

/** Response to a call. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/**
 * Makes a session call from a client address, on a connection of its own.
 *
 * @param address - An address in 127.0.0.0/8. On Linux, all of them work.
 * @param base - URL of a node or a proxy.
 */
export function callFrom(
  address: string,
  base: string,
  headers: Readonly<Record<string, string>>,
  body: object = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(`${base}/api/v1/realtime/stream/session`, {
      method: 'POST',
      agent: false,
      localAddress: address,
      headers: { 'content-type': 'application/json', ...headers },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const { headers: answered, statusCode = 0 } = response;
      json(response).then((said) => {
        resolve({ status: statusCode, headers: answered, body: said as Record<string, unknown> });
      }, reject);
    });
    call.end(JSON.stringify(body));
  });
}
