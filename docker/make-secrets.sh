#!/bin/sh
# Creates the secrets of compose.yaml that are missing, in docker/secrets: sh docker/make-secrets.sh
# Secrets that an older docker/.env contains are taken over.
set -eu
cd "$(dirname "$0")"

# Only the owner can enter the folder. In a container, the service reads the files as a user without privileges.
mkdir -p secrets
chmod 700 secrets

# The value in docker/.env, if there is one: in_env <name>
in_env() {
  if [ -f .env ]; then sed -n "s/^$1=//p" .env; fi
}

# secret <file> <value>
secret() {
  if [ -s "secrets/$1" ]; then return; fi
  printf '%s\n' "$2" >"secrets/$1"
  chmod 444 "secrets/$1"
  printf 'created docker/secrets/%s\n' "$1"
}

given=$(in_env POSTGRES_PASSWORD)
secret postgres_password "${given:-$(openssl rand -hex 24)}"
secret database_url "postgres://waypost:$(cat secrets/postgres_password)@postgres:5432/waypost"
given=$(in_env CONSOLE_TOKEN)
secret console_token "${given:-$(openssl rand -hex 24)}"
given=$(in_env ENCRYPTION_KEYS)
secret encryption_keys "${given:-k1:$(openssl rand -base64 32)}"
