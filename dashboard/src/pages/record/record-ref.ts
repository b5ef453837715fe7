// Which record the pages below are about.
import { useParams } from 'react-router';

/** What stands for the record in paths of the API: its slug, or `self` in an anonymous session. */
export const useRecordRef = (): string => useParams()['ref'] ?? 'self';

/** Where the record's pages begin, for links. */
export function useRecordPath(): string {
  const { ref } = useParams();
  return ref === undefined ? '/session' : `/records/${encodeURIComponent(ref)}`;
}
