// Which record the pages below show.
import { useParams } from 'react-router';

/** The record in paths of the API: its slug, or `self` in an anonymous session. */
export const useRecordRef = (): string => useParams()['ref'] ?? 'self';

/** The path of the record's pages, for links. */
export function useRecordPath(): string {
  const { ref } = useParams();
  return ref === undefined ? '/session' : `/records/${encodeURIComponent(ref)}`;
}
