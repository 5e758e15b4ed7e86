/** `node --import tsx test/gateway/main.ts --port 9100`: a gateway for tests that run in a browser. */
import { parseArgs } from 'node:util';
import { startGateway } from './gateway.js';
import { speaking } from './script.js';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const gateway = await startGateway({
  port: Number(values.port),
  script: () => speaking({ tone: 440, seconds: 2, pace: 'realtime' }),
});
process.stdout.write(`ready ${gateway.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void gateway.close().then(() => process.exit(0));
  });
}
