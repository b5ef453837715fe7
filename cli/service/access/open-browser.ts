// Opens a page in the user's browser, where there is one.
import { spawn } from 'node:child_process';

/** Does nothing over SSH, where the browser would open on another machine, and without a desktop. */
export function openBrowser(address: string, env: NodeJS.ProcessEnv = process.env): void {
  // A service chooses the address: no other scheme may reach the system.
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return;
  const [program, ...args] = opener(env) ?? [];
  if (program === undefined) return;
  // No shell, so the address is one argument whatever it has in it.
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // The user has the link.
  child.once('error', () => undefined);
  child.unref();
}

function opener(env: NodeJS.ProcessEnv): string[] | undefined {
  if (env['SSH_CONNECTION']) return undefined;
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
