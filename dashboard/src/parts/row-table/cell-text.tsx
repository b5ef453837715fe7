// One value in a table: one line of it, and the whole text on demand.
import { useContext } from 'react';
import { textOf } from './exact-json.ts';
import classes from './row-table.module.css';
import { WholeText } from './whole-text.tsx';

/** The most characters that a line can show; a value may have a million. */
const SHOWN_CHARACTERS = 160;
/** Texts up to this length are visible as a whole in columns of the usual width. */
const SHORT_CHARACTERS = 24;

interface Props {
  column: string;
  value: unknown;
  /** Shows a word for values that would look empty. */
  isPlain?: boolean;
}

export function CellText({ column, value, isPlain = true }: Props) {
  const show = useContext(WholeText);
  const text = textOf(value);
  if (text === undefined) return isPlain ? null : <Absent word="no value" />;
  if (value === null) return <Absent word="null" />;
  if (text === '') return isPlain ? null : <Absent word="empty" />;
  const line = text.slice(0, SHOWN_CHARACTERS).replaceAll(/\r\n|\r|\n/g, '↵');
  if (text.length <= SHORT_CHARACTERS && line === text)
    return <span className={classes['value']}>{line}</span>;
  return (
    // Not in the tab order: a table would have hundreds of stops, and the row's own button shows all values too.
    <button type="button" tabIndex={-1} className={classes['whole']} onClick={() => show({ column, text })}>
      {line}
    </button>
  );
}

const Absent = ({ word }: { word: string }) => <span className={classes['absent']}>{word}</span>;
