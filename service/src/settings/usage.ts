/** What `svc-service` can be told. */
export const USAGE = `Usage: svc-service [start] [--port N] [--host H] [--data DIR|memory | --database-url URL]
       svc-service keys create [--user ID] [--plan none|starter|pro] [--credits N]
       svc-service keys list
       svc-service keys revoke ID
       svc-service credits add USER N
       svc-service avatars add FILE --owner USER [--id ID] [--public] [--status available]
       svc-service avatars list
       svc-service avatars status ID processing|available|disabled
       svc-service ledger [--user ID]
       svc-service secrets list
       svc-service secrets rotate [session-token|room-token] [--leaked]

start (or nothing) speaks svctts.v1, and prints ready http://HOST:PORT/ when it listens.

  --port N            where to listen; 0 takes any free port (SVC_PORT, 8787)
  --host H            address to listen on (SVC_HOST, 127.0.0.1)
  --data DIR          folder of the embedded database, memory for none (SVC_DATA_DIR, ./svc-service-data)
  --database-url URL  PostgreSQL instead, postgres://user:password@host/database (SVC_DATABASE_URL); several hosts as
                      host:5432,host:5433

The other commands take --data or --database-url as well, and work while the service runs. They print one JSON object
per line. A credit is a second of an open socket.

  keys create         makes an API key and shows it, once. Without --user for a new user; a new user has plan starter
                      and its first credits, somebody else keeps theirs, unless --plan and --credits say more
  keys list           who has which keys; never the keys themselves
  keys revoke         ends a key at once
  credits add         gives credits to a user
  avatars add         takes the bundle in FILE (JSON), for its owner, or for everybody with --public
  ledger              what was given and used
  secrets list        versions of the secrets that sign tokens; never the secrets themselves
  secrets rotate      signs with new secrets, and accepts the old ones for 2 hours; with --leaked not at all. Room tokens
                      change 1 hour later: until then, add the key and secret that it shows to the LiveKit server

More environment: SVC_API_KEY (keys of the user owner, separated by commas, of at least 32 characters unless only this
machine can call; without one, and with no other in the store, one is made and printed), SVC_PUBLIC_URL (where clients reach it, if that is another address), SVC_TRUST_PROXY (addresses of proxies),
SVC_TOKEN_SECONDS (30), SVC_MAX_CONCURRENT_SESSIONS (by plan), SVC_MAX_SOCKETS (of a node, none),
SVC_MAX_SOCKETS_PER_ACCOUNT (4 for each session), SVC_IDLE_SECONDS (60), SVC_REQUESTS_PER_MINUTE (200, by address),
SVC_RATE_LIMIT_EXEMPT (addresses that are not counted), SVC_DATABASE_CONNECTIONS (10), SVC_SPEECH (flite, openai or
command), SVC_SPEECH_THREADS (of flite: processors minus one), SVC_SPEECH_CONCURRENCY (of the others), SVC_SPEECH_URL, SVC_SPEECH_KEY, SVC_SPEECH_COMMAND, SVC_SPEECH_VOICES, SVC_SPEECH_MODEL, SVC_SPEECH_SAMPLE_RATE,
SVC_LIVEKIT_KEY and SVC_LIVEKIT_SECRET (made and kept if absent), SVC_LOG_LEVEL (warn),
SVC_METRICS_TOKEN (asked for at /metrics), SVC_NODE_NAME (host and random letters).`;
