#!/bin/sh
# The step of action.yml that runs bub. Everything comes in variables, nothing is part of a command's
# text: BUB_ACTION_PROMPT, BUB_ACTION_MODEL and BUB_ACTION_ARGS (one argument a line). The answer and
# the status go to the file GITHUB_OUTPUT; the exit code is that of bub.
set -eu

set --
while IFS= read -r line; do
  line=${line%"$(printf '\r')"}
  [ -z "$line" ] || set -- "$@" "$line"
done <<END
$BUB_ACTION_ARGS
END
[ -z "$BUB_ACTION_MODEL" ] || set -- --model "$BUB_ACTION_MODEL" "$@"

# Neither bub nor what it starts is to see them.
prompt=$BUB_ACTION_PROMPT
unset BUB_ACTION_PROMPT BUB_ACTION_MODEL BUB_ACTION_ARGS

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
code=0
# By standard input: arguments may be too short for a prompt, and show up in lists of processes.
printf '%s\n' "$prompt" | bub run "$@" - >"$answer" || code=$?
cat "$answer"

case $code in
0) status=ok ;;
124) status=timeout ;;
1 | 2) status=error ;;
*) status=interrupted ;;
esac
# A line that no answer can foresee, or an answer could add outputs of its own.
end=END-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
{
  printf 'status=%s\nresult<<%s\n' "$status" "$end"
  printf '%s\n%s\n' "$(cat "$answer")" "$end"
} >>"$GITHUB_OUTPUT"
exit "$code"
