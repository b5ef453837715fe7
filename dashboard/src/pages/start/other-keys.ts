// Other fields that would identify the record's rows.

/** @param evidence of the record; its schema leaves the form open */
export function otherKeys(evidence: unknown): string[] {
  if (typeof evidence !== 'object' || evidence === null || !('alternatives' in evidence)) return [];
  const { alternatives } = evidence;
  return Array.isArray(alternatives) ? alternatives.filter((each) => typeof each === 'string') : [];
}
