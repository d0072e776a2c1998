#!/bin/sh
# Writes the root file system of the image into a new folder: Node.js, the libraries that it needs, and the
# built program. The packages of other platforms and the embedded database are left out.
set -eu
root=$1
source=$(cd "$(dirname "$0")/.." && pwd)
node=$(readlink -f "$(command -v node)")

mkdir -p "$root/usr/bin" "$root/app/node_modules" "$root/data" "$root/etc"
cp "$node" "$root/usr/bin/node"
cp -R "$source/dist" "$source/package.json" "$source/LICENSE" "$root/app"
cp -R "$source/node_modules/@node-rs" "$source/node_modules/@opentelemetry" "$root/app/node_modules"
# Only what Node.js loads of the packages for traces.
rm -rf "$root"/app/node_modules/@opentelemetry/*/build/es*
find "$root/app/node_modules/@opentelemetry" -name '*.map' -delete

# The dynamic linker and every library, at the place where the linker looks for it.
find "$root/usr/bin/node" "$root/app" -type f \( -name node -o -name '*.node' \) -exec ldd {} + |
  grep -o '/[^ :]*\.so[^ :]*' | sort -u | grep -v "^$root" |
  while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done

printf 'kaikei:x:65532:65532:kaikei:/data:/\n' >"$root/etc/passwd"
printf 'kaikei:x:65532:\n' >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
