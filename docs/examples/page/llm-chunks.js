/** The text of a completion that comes in chunks, as OpenAI-compatible services send it. */
export async function* wordsOf(completion) {
  for await (const { choices } of completion) yield choices[0]?.delta?.content ?? '';
}
