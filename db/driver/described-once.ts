// Statements as pg sends them, except that PostgreSQL describes the columns of a prepared one to each connection once, and
// not with every answer: for the sixty of a caller and a record, that took longer than running the statement.
import pg from 'pg';

/** What PostgreSQL says of a column, as far as reading needs it. */
interface Column {
  name: string;
  parse: (text: string) => unknown;
}

interface Columns {
  all: readonly Column[];
  /** A row of nulls, which is copied for each row. */
  empty: Readonly<Record<string, null>>;
}

type Texts = readonly (string | null)[];

interface Connection {
  describe: (message: object) => void;
}

/** What pg's Query has beyond its published types. */
declare class Inner {
  constructor(statement: pg.QueryConfig, values: undefined, done: (error: Error | null | undefined) => void);
  readonly name: string | undefined;
  submit(connection: Connection): Error | null;
  handleRowDescription(message: { fields: readonly { name: string; dataTypeID: number }[] }): void;
  handleDataRow(message: { fields: Texts }): void;
}

// Tests run all of it against the real one.
const Query = pg.Query as unknown as typeof Inner;

/** By connection and name. What would give a statement other columns makes PostgreSQL refuse it (0A000). */
const described = new WeakMap<Connection, Map<string, Columns>>();

/** Connections that ask for no description, by those that do. */
const silent = new WeakMap<Connection, Connection>();

/** A class, because pg pipelines only its own. */
class DescribedOnce extends Query {
  columns: Columns | undefined;
  readonly texts: Texts[] = [];
  private connection: Connection | undefined;

  override submit(connection: Connection): Error | null {
    this.connection = connection;
    this.columns = this.name === undefined ? undefined : described.get(connection)?.get(this.name);
    return super.submit(this.columns === undefined ? connection : silentOf(connection));
  }

  override handleRowDescription({
    fields,
  }: {
    fields: readonly { name: string; dataTypeID: number }[];
  }): void {
    this.columns = columnsOf(fields);
    if (this.name === undefined || this.connection === undefined) return;
    const ofConnection = described.get(this.connection) ?? new Map<string, Columns>();
    described.set(this.connection, ofConnection.set(this.name, this.columns));
  }

  override handleDataRow({ fields }: { fields: Texts }): void {
    this.texts.push(fields);
  }
}

/** Rows of one statement. @throws Error of pg */
export async function rowsOf<Row extends object>(
  client: pg.Client,
  statement: pg.QueryConfig,
): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const query = new DescribedOnce(statement, undefined, (error) =>
    error === null || error === undefined ? resolve(undefined) : reject(error),
  );
  // It is one.
  client.query(query as unknown as pg.Query);
  try {
    await promise;
  } catch (error) {
    // Else it would lead to the socket, and not to who asked.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
  const { columns, texts } = query;
  // The caller says what they are.
  return columns === undefined ? [] : texts.map((row) => readRow(columns, row) as Row);
}

function silentOf(connection: Connection): Connection {
  const known = silent.get(connection);
  if (known !== undefined) return known;
  // Everything else goes to the connection itself.
  const made = Object.assign(Object.create(connection) as Connection, { describe: () => undefined });
  silent.set(connection, made);
  return made;
}

function columnsOf(fields: readonly { name: string; dataTypeID: number }[]): Columns {
  const all = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  return { all, empty: Object.fromEntries(all.map(({ name }) => [name, null])) };
}

// Its published type knows values of binary form too.
const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as Column['parse'];

function readRow({ all, empty }: Columns, texts: Texts): object {
  const row: Record<string, unknown> = { ...empty };
  all.forEach(({ name, parse }, index) => {
    const text = texts[index];
    if (text !== null && text !== undefined) row[name] = parse(text);
  });
  return row;
}
