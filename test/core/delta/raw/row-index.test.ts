// A row index is used only if it is whole, and of this body and these settings.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readChunks } from '../../../../core/delta/raw/read-at.ts';
import { type IndexedBody, readRowIndex } from '../../../../core/delta/raw/row-index.ts';
import { cut } from '../read-body.ts';
import { fastOf, indexBody } from './compare-bodies.ts';

describe('a row index', () => {
  const body = Buffer.from('id,a\n1,x\n2,y\n');
  const of = async () => {
    const result = await fastOf(
      { before: body, now: body, format: 'csv', charset: 'utf-8', rowsPath: '', headerRow: 1 },
      { keyFields: ['id'], ignoreFields: [] },
    );
    const file = result && (await indexBody(body, result.read, result.identity));
    if (file === undefined) throw new Error('There must be an index');
    return { file, identity: result?.identity ?? raise() };
  };
  const indexIn = (file: Uint8Array, identity: IndexedBody, rowCount = 2) =>
    readRowIndex(readChunks(cut(file, 10)), identity, { rowCount, numbers: 0 });
  const raise = (): never => {
    throw new Error('There must be a result');
  };

  it('is used only if it is complete', async () => {
    const { file, identity } = await of();
    expect(await indexIn(file, identity)).toMatchObject({ rowCount: 2, columns: ['id', 'a'] });
    for (let at = 0; at < file.length; at++) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(await indexIn(damaged, identity)).toBeUndefined();
      expect(await indexIn(file.subarray(0, at), identity)).toBeUndefined();
    }
    expect(await indexIn(Buffer.concat([file, Buffer.from('x')]), identity)).toBeUndefined();
    expect(await indexIn(file, identity, 1)).toBeUndefined();
  });

  it('is not used if it is of the version that let some stray quotes pass', async () => {
    const { file, identity } = await of();
    const text = file.subarray(0, -32).toString('latin1').replace('"version":7', '"version":6');
    const earlier = Buffer.from(text, 'latin1');
    const digest = createHash('sha256').update(earlier).digest();
    expect(await indexIn(Buffer.concat([earlier, digest]), identity)).toBeUndefined();
  });

  it.each<[string, Partial<IndexedBody>]>([
    ['body', { sha256: 'b'.repeat(64) }],
    ['generation', { generation: 2 }],
    ['dialect', { dialect: { format: 'csv', delimiter: ';', charset: 'utf-8', rowsPath: '' } }],
    ['charset', { dialect: { format: 'csv', delimiter: ',', charset: 'windows-1252', rowsPath: '' } }],
    ['key', { keyFields: ['a'] }],
    ['ignored fields', { ignoreFields: ['a'] }],
    ['rules', { rules: { a: { trim: true } } }],
  ])('is not used for another %s', async (_what, other) => {
    const { file, identity } = await of();
    expect(await indexIn(file, { ...identity, ...other })).toBeUndefined();
  });
});
