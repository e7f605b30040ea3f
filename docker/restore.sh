#!/bin/sh
# Restores a dump of backup.sh as the database PGDATABASE: sh restore.sh <file>
# The service must not run. A database that exists stays as <PGDATABASE>_replaced, and as it is if the restore fails.
# Variables are those of backup.sh; the user will own the tables, and must be allowed to create databases.
set -eu
dump=${1:?the file to restore}
: "${PGDATABASE:?}"
target=$PGDATABASE
restored=${target}_restored
replaced=${target}_replaced
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi

# Runs SQL from standard input outside the database, with its names as variables.
sql() {
  PGDATABASE=postgres psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 \
    --set=target="$target" --set=restored="$restored" --set=replaced="$replaced"
}
refuse() {
  printf '%s\n' "$1" >&2
  exit 1
}

pg_restore --list "$dump" >/dev/null
connections=$(echo "SELECT count(*) FROM pg_stat_activity WHERE datname = :'target'" | sql)
[ "$connections" = 0 ] || refuse "$target has $connections connections: stop every process of the service first, and PgBouncer, if there is one"
exists=$(echo "SELECT count(*) FROM pg_database WHERE datname = :'replaced'" | sql)
[ "$exists" = 0 ] || refuse "$replaced is there from an earlier restore: drop it first, with dropdb $replaced"

PGOPTIONS=--client-min-messages=warning dropdb --if-exists "$restored"
createdb "$restored"
pg_restore --exit-on-error --no-owner --jobs="${RESTORE_JOBS:-2}" --dbname="$restored" "$dump"
# Without statistics, the first queries would read whole tables. Warnings would name catalogs of the server, which only
# superusers analyze.
PGOPTIONS=--client-min-messages=error PGDATABASE=$restored psql --no-psqlrc --quiet --command=ANALYZE

exists=$(echo "SELECT count(*) FROM pg_database WHERE datname = :'target'" | sql)
if [ "$exists" = 1 ]; then
  echo 'BEGIN; ALTER DATABASE :"target" RENAME TO :"replaced"; ALTER DATABASE :"restored" RENAME TO :"target"; COMMIT' | sql
  printf '%s is restored. What it replaced is %s.\n' "$target" "$replaced"
else
  echo 'ALTER DATABASE :"restored" RENAME TO :"target"' | sql
  printf '%s is restored.\n' "$target"
fi
printf 'Before you start the service, empty its Redis and its spool: docs/operations.md#restoring-a-dump\n'
