/** Certificates and private keys in PEM, and the DER inside. */
@NullMarked
package dev.berth.kubeclient.pem;

import org.jspecify.annotations.NullMarked;
