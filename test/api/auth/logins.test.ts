// The sign-in library is loaded late, and again if that failed.
import { expect, it, vi } from 'vitest';
import { openLibrary, type LibraryOptions } from '../../../api/auth/library.ts';
import { createLogins } from '../../../api/auth/logins.ts';
import { parseConfig } from '../../../core/config.ts';

vi.mock('../../../api/auth/library.ts', () => ({ openLibrary: vi.fn<typeof openLibrary>() }));

it('regression: a library that could not be loaded is loaded by the next request', async () => {
  const opened = {} as ReturnType<typeof openLibrary>;
  vi.mocked(openLibrary)
    .mockImplementationOnce(() => {
      throw new Error('No such file');
    })
    .mockReturnValueOnce(opened);
  const { library } = createLogins({ services: { config: parseConfig({}) } } as LibraryOptions);
  await expect(library()).rejects.toThrow('No such file');
  expect(await library()).toBe(opened);
  expect(await library()).toBe(opened);
  expect(openLibrary).toHaveBeenCalledTimes(2);
});
