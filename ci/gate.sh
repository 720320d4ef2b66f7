#!/usr/bin/env bash
# One gate: judges the target that GREENROOM_PROFILE names, and leaves all reports in GREENROOM_OUT.
# Its exit code is that of "greenroom check". GREENROOM_COMMAND takes the place of the published package.
set -euo pipefail
# Bash's own way to ask for a variable ends with 1, which says that a service is not conformant.
if [ -z "${GREENROOM_PROFILE:-}" ]; then
  echo 'greenroom: GREENROOM_PROFILE (the input "target" of the action) has to name a profile or the URL of the target' >&2
  exit 2
fi
out="${GREENROOM_OUT:-reports/greenroom}"
read -r -a command <<< "${GREENROOM_COMMAND:-npx --yes greenroom@${GREENROOM_VERSION:-latest}}"
read -r -a further <<< "${GREENROOM_ARGUMENTS:-}"
exec "${command[@]}" check --target "$GREENROOM_PROFILE" --out "$out" \
  --report html --report junit --report ctrf --report github ${further[@]+"${further[@]}"}
