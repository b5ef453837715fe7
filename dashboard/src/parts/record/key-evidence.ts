// Why a record's key fields were chosen, in the API's own sentence.

/** @param evidence of a record or a preview; null if the fields were given */
export function evidenceWords(evidence: unknown): string | undefined {
  if (typeof evidence !== 'object' || evidence === null || !('words' in evidence)) return undefined;
  return typeof evidence.words === 'string' ? evidence.words : undefined;
}
