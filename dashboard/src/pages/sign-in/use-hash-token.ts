// The token of a mail's link stands behind the #, which no server and no log sees; it does not stay in the address bar.
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Empty when the address holds none. */
export function useHashToken(): string {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  // Another link may be opened in the same tab, which loads nothing anew.
  if (hash.length > 1 && hash.slice(1) !== token) setToken(hash.slice(1));
  useEffect(() => {
    if (hash !== '') void navigate({ pathname, search, hash: '' }, { replace: true });
  }, [hash, pathname, search, navigate]);
  return token;
}
