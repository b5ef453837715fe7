// Where mails lie that no server takes: `npm start` shows them.
import { join } from 'node:path';

/** @param home RECORDWATCH_HOME */
export const mailFolder = (home: string): string => join(home, 'mail');
