#!/bin/sh
# Dumps the database to a file in BACKUP_DIR and deletes all but the newest BACKUP_KEEP dumps, 14 by default.
#   sh backup.sh                   once
#   sh backup.sh every <seconds>   at once, and again after each interval; a dump that fails is tried again after a minute
# The database is that of libpq's variables (PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD); PGPASSWORD_FILE can name a
# file with the password. The service can run meanwhile.
set -eu
: "${BACKUP_DIR:?}" "${PGDATABASE:?}"
keep=${BACKUP_KEEP:-14}
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi
umask 077
# As `date` below writes it, directly behind the database's name: dumps of `waypost-eu` are none of `waypost`.
digits=[0-9][0-9][0-9][0-9][0-9][0-9]
stamp="${digits}[0-9][0-9]T${digits}Z"

# A file has its final name once it is complete.
dump() {
  file=$BACKUP_DIR/$PGDATABASE-$(date -u +%Y%m%dT%H%M%SZ).dump
  rm -f "$BACKUP_DIR/$PGDATABASE"-$stamp.dump.partial
  pg_dump --format=custom --lock-wait-timeout=300s --file="$file.partial" &&
    pg_restore --list "$file.partial" >/dev/null &&
    mv "$file.partial" "$file" &&
    printf '%s\n' "$file" && return
  rm -f "$file.partial"
  return 1
}

# Names contain the time, so they sort by age.
prune() {
  for file in "$BACKUP_DIR/$PGDATABASE"-$stamp.dump; do printf '%s\n' "$file"; done |
    sort -r | tail -n "+$((keep + 1))" | while IFS= read -r file; do rm -f "$file"; done
}

if [ "${1:-}" != every ]; then
  dump
  prune
  exit
fi
interval=${2:?the seconds between dumps}
waiting=
# A signal is handled when the dump that runs has ended.
trap '[ -z "$waiting" ] || kill "$waiting"; exit 0' TERM INT
while true; do
  wait=60
  if dump; then
    prune
    wait=$interval
  fi
  # In the background, so that a stop signal ends the wait.
  sleep "$wait" &
  waiting=$!
  wait "$waiting" || true
done
