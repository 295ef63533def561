/** A certificate authority for one run of the server, and the certificate it gives that server. */
@NullMarked
package dev.berth.sandbox.http.tls;

import org.jspecify.annotations.NullMarked;
