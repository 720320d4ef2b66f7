#!/usr/bin/env bash
# Puts the summary of a gate under its pull or merge request: once, and later into the same comment.
set -euo pipefail
read -r -a command <<< "${GREENROOM_COMMAND:-npx --yes greenroom@${GREENROOM_VERSION:-latest}}"
exec "${command[@]}" comment "${GREENROOM_OUT:-reports/greenroom}/summary.md"
