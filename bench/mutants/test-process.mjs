/**
 * Runs test files, the arguments, in this process.
 */
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

// `service/test/support/postgres.ts` keeps one server for all processes of a parent that has this variable.
process.env.NODE_TEST_CONTEXT = 'mutants';
void test;
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
