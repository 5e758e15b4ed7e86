/** `node manifest.js FOLDER`: validates the custom-elements manifest of an installed package with its JSON schema. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import schema from 'custom-elements-manifest/schema.json' with { type: 'json' };

const manifest = JSON.parse(await readFile(join(process.argv[2], 'dist', 'custom-elements.json'), 'utf8'));
// The schema tells its alternatives apart by a keyword of OpenAPI, which Ajv rejects in strict mode.
const validate = new Ajv({ strict: false }).compile(schema);
if (!validate(manifest)) {
  console.error(validate.errors);
  process.exitCode = 1;
}
