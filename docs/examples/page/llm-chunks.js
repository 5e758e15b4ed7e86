/** Yields the text of a completion in chunks, as OpenAI-compatible services send it. */
export async function* wordsOf(completion) {
  for await (const { choices } of completion) yield choices[0]?.delta?.content ?? '';
}
