// Reads the commands of a document, in order, with the answers that it shows.

export interface Step {
  commands: string;
  /** What the document shows of the output, and in which language; undefined where it shows nothing. */
  shown: string | undefined;
  language: string | undefined;
}

/** Blocks of commands, each with the block of output between it and the next. */
export function stepsOf(text: string): Step[] {
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    body,
  }));
  return blocks.flatMap(({ language, body }, index) => {
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    const output = next?.language === 'sh' ? undefined : next;
    return [{ commands: body, shown: output?.body, language: output?.language }];
  });
}
