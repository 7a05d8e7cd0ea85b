#!/bin/sh
# Tests average.sh.

failed=0

# check EXPECTED NUMBER…
check() {
  expected=$1
  shift
  got=$(sh average.sh "$@")
  if [ "$got" = "$expected" ]; then
    echo "ok      average of $*: $got"
  else
    echo "FAILED  average of $*: $got instead of $expected"
    failed=1
  fi
}

check 3 3
check 2 1 2 3
check 5 4 5
check 3 2 3 3
exit $failed
