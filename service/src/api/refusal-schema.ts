const detail = {
  type: 'string',
  description: 'A sentence for people: what is wrong, and what would help',
} as const;

/**
 * Returns the schema of a refusal's body (interface-spec 7.2).
 *
 * @param description - Meaning of the status.
 */
export function refusalSchema(description: string) {
  return { description, type: 'object', required: ['detail'], properties: { detail } } as const;
}

/**
 * Returns the schema of a refusal's body that names each invalid field.
 *
 * @param description - Meaning of the status.
 */
export function fieldRefusalSchema(description: string) {
  const { type, required } = refusalSchema(description);
  const errors = {
    type: 'array',
    items: {
      type: 'object',
      required: ['field', 'problem'],
      properties: {
        field: { type: 'string', description: 'The field, as in `sampling.rate`; empty for the whole body' },
        problem: { type: 'string', description: 'What it must be, as in `must be a number from 0.5 to 2`' },
      },
    },
  } as const;
  return { description, type, required, properties: { detail, errors } } as const;
}
