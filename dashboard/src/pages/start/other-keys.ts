// The other fields that would have told a record's rows apart.

/** @param evidence as the record tells it; the document leaves its form open */
export function otherKeys(evidence: unknown): string[] {
  if (typeof evidence !== 'object' || evidence === null || !('alternatives' in evidence)) return [];
  const { alternatives } = evidence;
  return Array.isArray(alternatives) ? alternatives.filter((each) => typeof each === 'string') : [];
}
