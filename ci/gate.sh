#!/usr/bin/env bash
# One gate: judges the target that GREENROOM_PROFILE names, and leaves all reports in GREENROOM_OUT.
# Its exit code is that of "greenroom check". GREENROOM_COMMAND takes the place of the published package.
set -euo pipefail
: "${GREENROOM_PROFILE:?name the profile or the URL of the target}"
out="${GREENROOM_OUT:-reports/greenroom}"
read -r -a command <<< "${GREENROOM_COMMAND:-npx --yes greenroom@${GREENROOM_VERSION:-latest}}"
read -r -a further <<< "${GREENROOM_ARGUMENTS:-}"
exec "${command[@]}" check --target "$GREENROOM_PROFILE" --out "$out" \
  --report html --report junit --report ctrf --report github ${further[@]+"${further[@]}"}
