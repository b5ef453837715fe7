// Reads the commands of a document in order, with the shown answers.

export interface Step {
  commands: string;
  /** The shown output and its language; undefined when the document shows none. */
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
