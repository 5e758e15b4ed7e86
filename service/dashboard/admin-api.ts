/** Error response of the admin API. The message is the `detail` of its body; `status` is 0 if there is no response. */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The login session of this browser. */
export interface Session {
  readonly name: string;
  readonly csrf_token: string;
  readonly expires_at: string;
}

/** Query parameters. Undefined and empty ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Returns the address of a route of the admin API, relative to the page. */
export function adminUrl(path: string, query: Query = {}): string {
  const entries = Object.entries(query).filter((entry) => entry[1] !== undefined && entry[1] !== '');
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return `api${path}${search && `?${search}`}`;
}

/** Client of the admin API. Its requests use the cookie of a login, which scripts cannot read. */
export class AdminApi {
  #csrfToken = '';
  /** Idempotency keys of the requests that move money and have no answer, so that they may have been carried out. */
  readonly #unanswered = new Map<string, string>();

  /** Resumes the browser's login session. Returns null if there is none. */
  async resume(): Promise<Session | null> {
    try {
      return this.#keep(await this.get<Session>('/session'));
    } catch (error) {
      if (error instanceof AdminApiError && error.status === 401) return null;
      throw error;
    }
  }

  /**
   * Logs the browser in.
   *
   * @throws {AdminApiError} 401 if the token is wrong, 429 after too many wrong tokens.
   */
  async logIn(token: string, name: string): Promise<Session> {
    return this.#keep(await this.send<Session>('POST', '/login', { token, ...(name ? { name } : {}) }));
  }

  async logOut(): Promise<void> {
    await this.send('POST', '/logout');
    this.#csrfToken = '';
  }

  get<Answer>(path: string, query: Query = {}): Promise<Answer> {
    return request<Answer>(adminUrl(path, query), {});
  }

  /** Sends a request that changes data. */
  send<Answer>(
    method: 'POST' | 'PATCH',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return request<Answer>(adminUrl(path), {
      method,
      headers: {
        'x-csrf-token': this.#csrfToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request that moves money. Sent again after a failure of the service, it moves it once. */
  async sendOnce<Answer>(path: string, body: object): Promise<Answer> {
    const change = `${path} ${JSON.stringify(body)}`;
    const idempotencyKey = this.#unanswered.get(change) ?? randomKey();
    this.#unanswered.set(change, idempotencyKey);
    try {
      const answer = await this.send<Answer>('POST', path, body, { 'idempotency-key': idempotencyKey });
      this.#unanswered.delete(change);
      return answer;
    } catch (error) {
      // An answer below 500 says that nothing was changed.
      if (error instanceof AdminApiError && error.status >= 400 && error.status < 500) this.#unanswered.delete(change);
      throw error;
    }
  }

  #keep(session: Session): Session {
    this.#csrfToken = session.csrf_token;
    return session;
  }
}

/** Returns 128 random bits. (`randomUUID` is missing on pages without encryption.) */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
}

async function request<Answer>(url: string, init: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch {
    throw new AdminApiError('The service cannot be reached. Check that it runs, and try again.', 0);
  }
  const body: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return body as Answer;
  const { detail } = (body ?? {}) as { detail?: string };
  throw new AdminApiError(detail ?? `The service answered with status ${response.status}.`, response.status);
}
