#!/usr/bin/env node
import { main } from './main.js';

const { env: environment, stderr, stdout } = process;
// A closed output must not end the service. A command that has more to print detects it itself.
for (const stream of [stdout, stderr]) stream.on('error', () => {});
const exitCode = await main(process.argv.slice(2), { environment, stdout, stderr, signals: process });
// On Windows, writes to pipes are asynchronous: exit once everything printed so far has been written.
stdout.write('', () => process.exit(exitCode));
