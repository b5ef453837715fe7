// Runs statements through pg, but asks PostgreSQL only once per connection for the columns of a prepared statement. pg asks
// with every answer; for the sixty columns of a caller and a record, that takes longer than running the statement.
import pg from 'pg';

/** The parts of a column's description that reading needs. */
interface Column {
  name: string;
  parse: (text: string) => unknown;
}

interface Columns {
  all: readonly Column[];
  /** A row of nulls, copied for each row. */
  empty: Readonly<Record<string, null>>;
}

type Texts = readonly (string | null)[];

interface Fields {
  fields: readonly { name: string; dataTypeID: number }[];
}

const COLUMNS = Symbol('columns by statement name');
const SILENT = Symbol('the same connection, which asks for no description');

/** The part of pg's connection that statements use, and what is kept on it. */
interface Connection {
  describe: (message: object) => void;
  /** PostgreSQL refuses (0A000) to run a prepared statement whose columns have changed. */
  [COLUMNS]?: Map<string, Columns>;
  [SILENT]?: Connection;
}

/** The members of pg's Query beyond its published types. */
declare class Inner {
  constructor(statement: pg.QueryConfig, values: undefined, done: (error: Error | null | undefined) => void);
  readonly name: string | undefined;
  submit(connection: Connection): Error | null;
  handleRowDescription(message: Fields): void;
  handleDataRow(message: { fields: Texts }): void;
}

// The tests run all of its members against the real class.
const Query = pg.Query as unknown as typeof Inner;

/** A class, because pg pipelines no other queries than its own. */
class DescribedOnce extends Query {
  columns: Columns | undefined;
  readonly texts: Texts[] = [];
  readonly client: pg.Client;
  private connection: Connection | undefined;

  constructor(client: pg.Client, statement: pg.QueryConfig, done: (error: Error | null | undefined) => void) {
    super(statement, undefined, done);
    this.client = client;
  }

  override submit(connection: Connection): Error | null {
    this.connection = connection;
    this.columns = this.name === undefined ? undefined : connection[COLUMNS]?.get(this.name);
    return super.submit(this.columns === undefined ? connection : silentOf(connection));
  }

  override handleRowDescription({ fields }: Fields): void {
    this.columns = columnsOf(this.client, fields);
    if (this.name === undefined || this.connection === undefined) return;
    this.connection[COLUMNS] ??= new Map();
    this.connection[COLUMNS].set(this.name, this.columns);
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
  const query = new DescribedOnce(client, statement, (error) =>
    error === null || error === undefined ? resolve(undefined) : reject(error),
  );
  // It extends pg.Query; only the declared type of its parent differs.
  client.query(query as unknown as pg.Query);
  try {
    await promise;
  } catch (error) {
    // pg's own stack leads to the socket. This one leads to the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
  const { columns, texts } = query;
  // The caller states the shape of its rows.
  return columns === undefined ? [] : texts.map((row) => readRow(columns, row) as Row);
}

function silentOf(connection: Connection): Connection {
  // Everything but `describe` goes to the connection itself.
  connection[SILENT] ??= Object.assign(Object.create(connection) as Connection, {
    describe: () => undefined,
  });
  return connection[SILENT];
}

function columnsOf(client: pg.Client, fields: Fields['fields']): Columns {
  const all = fields.map(({ name, dataTypeID }) => ({
    name,
    // Its published type also covers values in binary form.
    parse: client.getTypeParser(dataTypeID, 'text') as Column['parse'],
  }));
  return { all, empty: Object.fromEntries(all.map(({ name }) => [name, null])) };
}

function readRow({ all, empty }: Columns, texts: Texts): object {
  const row: Record<string, unknown> = { ...empty };
  all.forEach(({ name, parse }, index) => {
    const text = texts[index];
    if (text !== null && text !== undefined) row[name] = parse(text);
  });
  return row;
}
