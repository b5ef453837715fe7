# Runs a command in a terminal of its own of 80 columns: `in-terminal.py <prompt> <command...>`. Types standard input when the
# prompt is shown, prints all that the terminal shows, and ends as the command does.
import fcntl, os, pty, struct, sys, termios

prompt, command = sys.argv[1].encode(), sys.argv[2:]
typed = sys.stdin.buffer.read()
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execvp(command[0], command)
shown = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if typed and prompt in shown:
        os.write(terminal, typed)
        typed = b""
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
