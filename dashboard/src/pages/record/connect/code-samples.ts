// Programs that work when pasted. They are separate files, so tests can run them as they are.
import type { Access } from './access.ts';
import curlPoll from './samples/curl-poll.txt?raw';
import curl from './samples/curl.txt?raw';
import python from './samples/python.txt?raw';
import typescript from './samples/typescript.txt?raw';

interface Sample {
  text: string;
  what: string;
}

export interface Language {
  id: string;
  name: string;
  samples: readonly Sample[];
}

export const LANGUAGES: readonly Language[] = [
  {
    id: 'curl',
    name: 'curl',
    samples: [
      { text: curl, what: 'the curl commands' },
      { text: curlPoll, what: 'the shell commands that poll' },
    ],
  },
  { id: 'typescript', name: 'TypeScript', samples: [{ text: typescript, what: 'the TypeScript program' }] },
  { id: 'python', name: 'Python', samples: [{ text: python, what: 'the Python program' }] },
];

export const filled = (text: string, { recordUrl, credential }: Access): string =>
  text.trimEnd().replaceAll('{{record}}', recordUrl).replaceAll('{{key}}', credential);
