// Case folding by Unicode's default mappings, which depend on no language.

/**
 * Equal for texts that Unicode's full case folding takes for the same: `Straße` and `STRASSE`. Lower case comes first, because
 * some capital letters, such as `ẞ`, have no other upper case. The dotless `ı` stays apart from `i`, as it does there.
 */
export const foldCase = (text: string): string =>
  text.includes('ı') ? text.split('ı').map(fold).join('ı') : fold(text);

const fold = (text: string): string => text.toLowerCase().toUpperCase();
