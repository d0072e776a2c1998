#!/bin/sh
# Writes new secrets for compose.yaml into a folder: random passwords and keys, and a certificate that no
# browser trusts. It never overwrites one: a lost vault key is lost data. Back the folder up.
set -eu
folder=${1:-$(dirname "$0")/secrets}
umask 077
mkdir -p "$folder"
# The folder is closed to others, also when it existed and was open. The files are not: in the containers they
# belong to the same owner as here.
chmod 0700 "$folder"

secret() {
  [ -e "$folder/$1" ] || cat >"$folder/$1"
  chmod 0444 "$folder/$1"
}
random() { openssl rand -hex 24; }
key() { printf '%s:%s\n' "$(openssl rand -hex 4)" "$(openssl rand -base64 32)"; }

random | secret database_password
printf 'postgresql://kaikei:%s@postgres:5432/kaikei\n' "$(cat "$folder/database_password")" | secret database_url
printf 'requirepass %s\n' "$(random)" | secret valkey_auth.conf
printf 'redis://:%s@valkey:6379\n' "$(cut -d' ' -f2 "$folder/valkey_auth.conf")" | secret shared_state_url
key | secret signing_keys
key | secret vault_keys
key | secret fingerprint_keys
if [ ! -e "$folder/certificate.pem" ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost \
    -keyout "$folder/certificate.key" -out "$folder/certificate.crt" 2>/dev/null
  cat "$folder/certificate.crt" "$folder/certificate.key" | secret certificate.pem
  rm "$folder/certificate.crt" "$folder/certificate.key"
fi
