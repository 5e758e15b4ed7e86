import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AdminError } from '../admin/admin-command.js';
import { readLines } from '../admin/admin-lines.js';

/** Name of the format, which is part of the header. */
const FORMAT = 'svc-service-data';

/** Version of the file format. The header also has the version of the tables. */
const VERSION = 1;

/** Maximum length of a line, in bytes. The bundle of an avatar has up to 2 MiB, and JSON escapes its quotes. */
const LINE_MAX_BYTES = 64 * 1024 * 1024;

/** First line of an export. */
export interface DataHeader {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** Version of the tables from which the rows come. */
  readonly schema: number;
  readonly exported_at: string;
}

/** Lines between the header and the trailer. */
export interface DataRow {
  readonly table: string;
  readonly row: object;
}

/** Last line of an export. */
export interface DataTrailer {
  /** Number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Sum of the ledger, in milliseconds. */
  readonly ledger_ms: number;
  /** SHA-256, in hex, of all lines before this one, with their line feeds. */
  readonly sha256: string;
}

/** Returns the header of a new export. */
export function makeHeader(schema: number): DataHeader {
  return { format: FORMAT, version: VERSION, schema, exported_at: new Date().toISOString() };
}

/**
 * Reads the header of an export.
 *
 * @throws {AdminError} If the file cannot be read, is not an export, or has another version of the format.
 */
export async function readHeader(file: string): Promise<DataHeader> {
  for await (const line of linesOf(file)) return parseHeader(file, line);
  throw new AdminError(`${file} is not an export of svc-service: it has no first line. Name a file of data export.`);
}

/**
 * Reads an export to its end, line by line.
 *
 * @returns The rows, then the trailer, whose checksum was verified.
 * @throws {AdminError} If the file cannot be read, is damaged, or ends before its trailer.
 */
export async function* readDataFile(file: string): AsyncGenerator<DataRow | DataTrailer> {
  const hash = createHash('sha256');
  let number = 0;
  let hasEnded = false;
  for await (const line of linesOf(file)) {
    number++;
    const value = number === 1 ? parseHeader(file, line) : parseLine(file, line, number);
    if (hasEnded) throw damaged(file, `line ${number} comes after the last one`);
    if ('sha256' in value) {
      if (value.sha256 !== hash.digest('hex')) throw damaged(file, 'its checksum does not match');
      hasEnded = true;
    } else hash.update(line).update('\n');
    if (number > 1) yield value as DataRow | DataTrailer;
  }
  if (!hasEnded) throw damaged(file, `it ends after line ${number}, without its last line`);
}

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    yield* readLines(createReadStream(file), LINE_MAX_BYTES);
  } catch (error) {
    if (error instanceof RangeError) throw damaged(file, `a line has more than ${LINE_MAX_BYTES} bytes`);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new AdminError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parseHeader(file: string, line: string): DataHeader {
  const header: Partial<DataHeader> | null = parseObject(line);
  if (header?.format !== FORMAT || !Number.isSafeInteger(header.schema)) {
    throw new AdminError(`${file} is not an export of svc-service. Name a file of data export.`);
  }
  if (header.version !== VERSION) {
    throw new AdminError(`${file} has version ${header.version} of the format, not ${VERSION}. Update svc-service.`);
  }
  return header as DataHeader;
}

function parseLine(file: string, line: string, number: number): DataRow | DataTrailer {
  const value: Partial<DataRow & DataTrailer> | null = parseObject(line);
  if (typeof value?.table === 'string' && typeof value.row === 'object' && value.row) return value as DataRow;
  if (typeof value?.sha256 === 'string' && typeof value.rows === 'object' && value.rows) return value as DataTrailer;
  throw damaged(file, `line ${number} is neither a row nor the last line`);
}

function parseObject(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Returns the error for a damaged file. */
export function damaged(file: string, why: string): AdminError {
  return new AdminError(
    `${file} is damaged or not complete: ${why}. Nothing was imported. Export again, or copy again.`,
  );
}
