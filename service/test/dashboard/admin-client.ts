import assert from 'node:assert/strict';

/** Admin token of the services under test. */
export const ADMIN_TOKEN = 'an-admin-token-that-nobody-guesses';

/** Response of the admin API, typed as loosely as the tests need it. */
export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of many kinds, which the tests compare whole
  readonly body: any;
}

/** Sends requests to the admin API, with the admin token unless `headers` are given. */
export function adminClient(url: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${ADMIN_TOKEN}` },
  ): Promise<AdminAnswer> => {
    const response = await fetch(`${url}/admin/api${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}

/** A logged-in browser: the headers that it sends. */
export interface Login {
  /** Headers of a request that changes nothing. */
  readonly reading: { readonly cookie: string };
  /** Headers of a request that changes something. */
  readonly changing: { readonly cookie: string; readonly 'x-csrf-token': string };
  /** Value of the `Set-Cookie` header. */
  readonly setCookie: string;
}

/** Logs in at the dashboard. */
export async function logIn(client: ReturnType<typeof adminClient>, name?: string): Promise<Login> {
  const { status, headers, body } = await client(
    'POST',
    '/login',
    { token: ADMIN_TOKEN, ...(name ? { name } : {}) },
    {},
  );
  assert.equal(status, 200, JSON.stringify(body));
  const setCookie = headers.get('set-cookie')!;
  const cookie = setCookie.split(';', 1)[0]!;
  return { reading: { cookie }, changing: { cookie, 'x-csrf-token': body.csrf_token as string }, setCookie };
}
