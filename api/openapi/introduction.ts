// The first page of the reference: what holds for every operation.

/** @param baseUrl where the pages stand that it points to */
export const introduction = (
  baseUrl: string,
): string => `Recordwatch watches data behind URLs and says exactly which rows are new, changed or deleted.

**Credentials.** Send a key or a token as \`Authorization: Bearer …\`. The narrowest one that does the work is the best one.
What a credential may not see is answered like what does not exist.

**Errors** are problem documents (RFC 9457) with a stable \`code\`; each code's cause and cure stands under
[docs/errors](${baseUrl}/docs/errors).

**Lists** are read page by page: repeat the request with \`cursor=<nextCursor>\` while \`hasMore\` is true. Pages stay stable
while new data arrive.

**Repeating a request** is safe when it carries an \`Idempotency-Key\`.

**Numbers and texts** of your rows come as the origin wrote them: 1.10 stays 1.10, and no digit of a long number is lost.

**Versions.** Everything under \`/v1\` stays compatible: members are added, never taken away or given another meaning, so
ignore those that you do not know. What is going to end says so in \`Deprecation\` and \`Sunset\` headers first.`;
