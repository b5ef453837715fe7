// The service that the user is logged in to.
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { openClient, type Patience } from '../calls/open-client.ts';
import { findConnection } from './connection.ts';

/** @throws ServiceFault nobody is logged in */
export const connect = (patience?: Patience): Recordwatch => openClient(findConnection(), patience);
