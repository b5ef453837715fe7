// Shows one record.
import { connect } from '../access/connect.ts';
import { answer, type AnswerOptions } from '../output/answers.ts';
import { recordWords } from './words.ts';

export async function showRecord(reference: string, options: AnswerOptions): Promise<void> {
  const record = await connect().records.get(reference);
  await answer(options, record, () => recordWords(record));
}
