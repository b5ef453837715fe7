// The token of a mail's link is behind the #, so no server and no log sees it. It is removed from the address bar.
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Empty if the address has none. */
export function useHashToken(): string {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  // Another link may be opened in the same tab, without a reload.
  if (hash.length > 1 && hash.slice(1) !== token) setToken(hash.slice(1));
  useEffect(() => {
    if (hash !== '') void navigate({ pathname, search, hash: '' }, { replace: true });
  }, [hash, pathname, search, navigate]);
  return token;
}
