/** Options of `start`, each with an explanation. */
export const START_OPTIONS = [
  ['--port N', 'port to listen on; 0 takes any free port (SVC_PORT, 8787)'],
  ['--host H', 'address to listen on (SVC_HOST, 127.0.0.1)'],
] as const;

/** Options of all commands, each with an explanation. */
export const STORE_OPTIONS = [
  ['--data DIR', 'folder of the embedded database, memory for none (SVC_DATA_DIR, ./svc-service-data)'],
  ['--database-url URL', 'PostgreSQL instead: postgres://user:password@host/database (SVC_DATABASE_URL)'],
] as const;

/** Environment of `start` besides its options, each variable with an explanation. */
export const START_ENVIRONMENT = [
  ['SVC_API_KEY', 'keys of the user owner, separated by commas, of 32 characters or more unless only'],
  ['', 'this machine can call (one is generated and printed if the store has none)'],
  ['SVC_PUBLIC_URL', 'where clients reach the service, if that is another address'],
  ['SVC_TRUST_PROXY', 'addresses of proxies'],
  ['SVC_TOKEN_SECONDS', 'seconds for which a session URL can be opened (30)'],
  ['SVC_MAX_CONCURRENT_SESSIONS', 'sockets of an account that speak (by plan)'],
  ['SVC_MAX_SOCKETS', 'open sockets of this node (any number)'],
  ['SVC_MAX_SOCKETS_PER_ACCOUNT', 'open sockets of an account (4 for each slot)'],
  ['SVC_IDLE_SECONDS', 'seconds for which a socket may be idle (60)'],
  ['SVC_REQUESTS_PER_MINUTE', 'calls of an address (200)'],
  ['SVC_RATE_LIMIT_EXEMPT', 'addresses whose calls are not counted'],
  ['SVC_DATABASE_CONNECTIONS', 'connections to PostgreSQL (10)'],
  ['SVC_SPEECH', 'flite, openai or command; several for a fallback (flite)'],
  ['SVC_SPEECH_THREADS', 'threads of flite, and one for first sounds (processors minus one)'],
  ['SVC_SPEECH_CONCURRENCY', 'requests at a time to the other engines'],
  ['SVC_SPEECH_URL', 'address of the server, for openai'],
  ['SVC_SPEECH_KEY', 'key of the server'],
  ['SVC_SPEECH_TIMINGS', 'captioned, if the server tells when words are spoken'],
  ['SVC_SPEECH_MODEL', 'model of the server'],
  ['SVC_SPEECH_COMMAND', 'program with its arguments, for command'],
  ['SVC_SPEECH_VOICES', 'voices of the server or program, separated by commas'],
  ['SVC_SPEECH_SAMPLE_RATE', 'sample rate of the server or program'],
  ['SVC_LIVEKIT_KEY', 'key of your LiveKit server (generated and stored by default)'],
  ['SVC_LIVEKIT_SECRET', 'the secret that belongs to it'],
  ['SVC_LOG_LEVEL', 'warn by default'],
  ['SVC_METRICS_TOKEN', 'token that /metrics requires'],
  ['SVC_ADMIN_TOKEN', 'enables the dashboard and the admin API under /admin (32 characters or more)'],
  ['SVC_NODE_NAME', 'name of this node in the ledger (name of the machine, and letters)'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector that takes OpenTelemetry traces over HTTP (none)'],
] as const;
