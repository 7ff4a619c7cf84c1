# Installs what is missing on Debian and Ubuntu; sourced by ./quickstart and ./check.
#
# need LOG WHAT...   each WHAT is kind:name:package, and counts as present when
#   cmd:NAME:PKG     a command NAME is on the PATH
#   any:A,B,C:PKG    at least one of these commands is
#   pc:NAME:PKG      pkg-config knows NAME
#   py:NAME:PKG      python3 can import NAME
#   deb:NAME:PKG     the package NAME is installed
# so that a tool from another source than apt is taken as it is. Nothing is done, and apt is
# not even asked, when nothing is missing.

present() {
  case $1 in
    cmd) command -v "$2" >/dev/null ;;
    any)
      local name names
      IFS=, read -r -a names <<<"$2"
      for name in "${names[@]}"; do command -v "$name" >/dev/null && return; done
      return 1
      ;;
    pc) command -v pkg-config >/dev/null && pkg-config --exists "$2" ;;
    py) command -v python3 >/dev/null && python3 -c "import $2" 2>/dev/null ;;
    deb) [ "$(dpkg-query -W -f='${db:Status-Status}' "$2" 2>/dev/null)" = installed ] ;;
  esac
}

# Prints the packages of those WHATs that are not present.
missing() {
  local what kind name package
  for what in "$@"; do
    IFS=: read -r kind name package <<<"$what"
    present "$kind" "$name" || printf '%s\n' "$package"
  done
}

need() {
  local log=$1 lacking names as_root=()
  shift
  mkdir -p "$(dirname "$log")"
  names=$(missing "$@" | sort -u)
  [ -n "$names" ] || return 0
  read -r -d '' -a lacking <<<"$names" || true

  if ! command -v apt-get >/dev/null; then
    echo "This system has no apt-get, so nothing was installed. What is missing, by the names" >&2
    echo "of the Debian packages:" >&2
    printf '  %s\n' "${lacking[@]}" >&2
    echo "Install them with this system's own package manager, then run this again." >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing, and installing them needs root or sudo:" >&2
      echo "  apt-get install ${lacking[*]}" >&2
      echo "Run that as root, then run this again." >&2
      return 1
    fi
    as_root=(sudo)
  fi

  echo "installing: ${lacking[*]}"
  # A failing update is no reason to stop: the lists that are there may do.
  if ! { "${as_root[@]}" apt-get update -qq || true; } >"$log" 2>&1 ||
    ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
      --no-install-recommends "${lacking[@]}" >>"$log" 2>&1; then
    echo "apt-get could not install ${lacking[*]}. The end of $log:" >&2
    tail -n 15 "$log" >&2
    echo "Check the network and /etc/apt/sources.list, then run this again." >&2
    return 1
  fi
}
