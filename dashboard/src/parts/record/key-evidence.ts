// Why a record's key fields were chosen, and which others would serve. The API's description leaves the form of this open.

/** The API's own sentence. @param evidence of a record or a preview; null when the fields were given */
export function evidenceWords(evidence: unknown): string | undefined {
  if (typeof evidence !== 'object' || evidence === null || !('words' in evidence)) return undefined;
  return typeof evidence.words === 'string' ? evidence.words : undefined;
}

/** The fields that tell the rows apart as well, if there are any. */
export function otherKeysWords(evidence: unknown): string | undefined {
  if (typeof evidence !== 'object' || evidence === null || !('alternatives' in evidence)) return undefined;
  const { alternatives } = evidence;
  const names = Array.isArray(alternatives) ? alternatives.filter((each) => typeof each === 'string') : [];
  return names.length === 0 ? undefined : `Could also be used: ${names.join(', ')}.`;
}
