import fc from 'fast-check';
import { CONTEXT_ID_MAX } from '../../../src/protocol/index.js';

/** Any valid context id. The filter is needed because a character may take two UTF-16 code units. */
export const anyContextId = fc
  .string({ unit: 'binary', minLength: 1, maxLength: CONTEXT_ID_MAX })
  .filter((id) => id.length <= CONTEXT_ID_MAX);

/** Any valid client message, with text in any script, including unpaired surrogates and control characters. */
export const anyClientMessage = fc.oneof(
  fc.record(
    {
      type: fc.constant('synthesize' as const),
      context_id: anyContextId,
      text: fc.string({ unit: 'binary' }),
      segment_mode: fc.string(),
    },
    { requiredKeys: ['type', 'context_id', 'text'], noNullPrototype: true },
  ),
  fc.record({ type: fc.constant('end' as const), context_id: anyContextId }, { noNullPrototype: true }),
);
