package dev.berth.embedded.http.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** What a server proves itself with, and the authority that vouches for it. */
public record ServerIdentity(PrivateKey key, X509Certificate certificate, X509Certificate authority) {}
