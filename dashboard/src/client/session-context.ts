// The anonymous session whose record a page shows. Another tab may meanwhile have stored another one in this browser.
import { createContext, useContext } from 'react';
import type { AnonymousSession } from './credentials.ts';

export const SessionContext = createContext<AnonymousSession | undefined>(undefined);

/** Undefined in an account. */
export const useSession = (): AnonymousSession | undefined => useContext(SessionContext);
