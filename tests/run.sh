#!/usr/bin/env bash
# Install what the tests need, Debian's packages included, and run every test.  Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

# The browser tests drive Debian's Chromium; without a CJK font, screenshots of Chinese text would show boxes.
# The tests of a workspace start a PostgreSQL of their own.
debian=(chromium fonts-noto-cjk postgresql)
python3 -c 'import ensurepip' 2>/dev/null || debian+=(python3-venv)
if ! dpkg --status "${debian[@]}" >/dev/null 2>&1; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "${debian[@]}" >/dev/null
fi

[ -x .venv/bin/python ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --editable '.[test]'
.venv/bin/python -m pytest "$@"
