#!/usr/bin/env node
import { main } from './main.js';

const { env: environment, stderr, stdout } = process;
// A reader that goes away ends no service; a command that has more to print notices it itself.
for (const stream of [stdout, stderr]) stream.on('error', () => {});
const exitCode = await main(process.argv.slice(2), { environment, stdout, stderr, signals: process });
// Pipes are written asynchronously on Windows: exit once everything printed so far is out.
stdout.write('', () => process.exit(exitCode));
