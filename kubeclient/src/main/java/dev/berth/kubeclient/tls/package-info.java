/** TLS to API servers: what a client trusts and presents, and an authority for servers on this machine. */
@NullMarked
package dev.berth.kubeclient.tls;

import org.jspecify.annotations.NullMarked;
