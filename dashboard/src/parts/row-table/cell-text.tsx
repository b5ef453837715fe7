// One value in a table: a line of it, and the whole text on demand.
import { useContext } from 'react';
import { textOf } from './exact-json.ts';
import classes from './row-table.module.css';
import { WholeText } from './whole-text.tsx';

/** What a line may show at all; a value may be of a million characters. */
const SHOWN_CHARACTERS = 160;
/** Texts up to this length are seen whole in the columns that there are. */
const SHORT_CHARACTERS = 24;

interface Props {
  column: string;
  value: unknown;
  /** Says in a word what else looks like nothing. */
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
    // Out of the tab order: a table would have hundreds of stops, and the row's own button shows all of it too.
    <button type="button" tabIndex={-1} className={classes['whole']} onClick={() => show({ column, text })}>
      {line}
    </button>
  );
}

const Absent = ({ word }: { word: string }) => <span className={classes['absent']}>{word}</span>;
