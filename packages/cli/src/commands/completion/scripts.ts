/** The scripts that `quayside completion` prints. Each script runs `quayside __complete` to list the candidates. */
export const completionScripts = {
  bash: `_quayside() {
  local current=\${COMP_WORDS[COMP_CWORD]} line lines word words=()
  COMPREPLY=()
  # The words contain the quotes and backslashes that were typed.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    case $word in
      [\\"\\']*) word=\${word:1}; words+=("\${word%[\\"\\']}") ;;
      *) words+=("\${word//\\\\/}") ;;
    esac
  done
  lines=$("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2> /dev/null) || return
  if [ "$lines" = ':files' ]; then
    type compopt > /dev/null 2>&1 && compopt -o filenames
    while IFS= read -r line; do
      [ -n "$line" ] && COMPREPLY+=("$line")
    done < <(compgen -f -- "\${current#=}")
    return
  fi
  while IFS= read -r line; do
    [ -n "$line" ] || continue
    line=\${line%%$'\\t'*}
    case $current in
      [\\"\\']*) ;;
      *) printf -v line %q "$line" ;;
    esac
    COMPREPLY+=("$line")
  done <<< "$lines"
}
complete -F _quayside quayside
`,
  zsh: `#compdef quayside
_quayside() {
  local line
  local -a lines candidates
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ $lines[1] == ':files' ]]; then
    _files
    return
  fi
  for line in $lines; do
    line=\${line//:/\\\\:}
    candidates+=("\${line/$'\\t'/:}")
  done
  _describe 'quayside' candidates
}
# An autoloaded file is the function itself. Otherwise, the script is sourced.
if [[ $funcstack[1] == _quayside ]]; then
  _quayside "$@"
else
  compdef _quayside quayside
fi
`,
  fish: `function __quayside_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($words[1] __complete $words[2..-1] "$current" 2> /dev/null)
  if test "$lines[1]" = ':files'
    __fish_complete_path "$current"
  else
    printf '%s\\n' $lines
  end
end
complete -c quayside -f -a '(__quayside_complete)'
`,
}
