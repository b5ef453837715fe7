// What a shell runs to complete command lines: it asks the program itself, which prints a line for each candidate.

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The hidden command that prints the candidates: a word, a tab and a description on each line. */
export const COMPLETE = '__complete';

export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_recordwatch() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(recordwatch ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _recordwatch recordwatch
`,
  zsh: `#compdef recordwatch
compdef _recordwatch recordwatch
_recordwatch() {
  local line word about
  local -a found
  for line in "\${(@f)$(recordwatch ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word=\${\${line%%$'\\t'*}//:/\\\\:} about=\${line#*$'\\t'}
    [[ -n $word ]] && found+=("$word\${about:+:$about}")
  done
  if (( $#found )); then
    _describe recordwatch found
  else
    _files
  fi
}
[[ $funcstack[1] == _recordwatch ]] && _recordwatch
`,
  fish: `function __recordwatch_candidates
    set -l typed (commandline -opc)
    set -l last (commandline -ct)
    set -g __recordwatch_found (recordwatch ${COMPLETE} -- $typed[2..] "$last" 2>/dev/null)
    test (count $__recordwatch_found) -gt 0
end
complete -c recordwatch -n __recordwatch_candidates -f -a '$__recordwatch_found'
`,
};
