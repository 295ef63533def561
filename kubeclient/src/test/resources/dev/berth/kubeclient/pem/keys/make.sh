#!/bin/sh
# Makes the private keys of this folder. They are for tests alone and open nothing.
# Made with OpenSSL 3.0.19; run it here to make others: each key comes with what OpenSSL says of its public half.
set -eu
cd "$(dirname "$0")"
# pass: is the password of the encrypted ones.
PASS=pass:test-only
for curve in prime256v1 secp384r1 secp521r1; do
  openssl ecparam -name "$curve" -genkey -out "ec-$curve-sec1.pem" # with a block EC PARAMETERS before the key
  openssl ec -in "ec-$curve-sec1.pem" -no_public -out "ec-$curve-sec1-no-public.pem"
  openssl pkcs8 -topk8 -nocrypt -in "ec-$curve-sec1.pem" -out "ec-$curve-pkcs8.pem"
done
for bits in 1024 2048 4096; do
  openssl genrsa -traditional -out "rsa-$bits-pkcs1.pem" "$bits"
  openssl pkcs8 -topk8 -nocrypt -in "rsa-$bits-pkcs1.pem" -out "rsa-$bits-pkcs8.pem"
done
openssl genpkey -algorithm ed25519 -out ed25519-pkcs8.pem
openssl ec -aes256 -passout "$PASS" -in ec-prime256v1-sec1.pem -out encrypted-ec-sec1.pem
openssl rsa -traditional -aes256 -passout "$PASS" -in rsa-2048-pkcs1.pem -out encrypted-rsa-pkcs1.pem
openssl pkcs8 -topk8 -passout "$PASS" -in rsa-2048-pkcs1.pem -out encrypted-pkcs8.pem
for key in ec-*.pem rsa-*.pem ed25519-*.pem; do
  openssl pkey -in "$key" -pubout -out "${key%.pem}.pub"
done
