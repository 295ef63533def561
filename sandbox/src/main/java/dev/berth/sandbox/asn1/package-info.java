/** The binary form of certificates and keys. */
@NullMarked
package dev.berth.sandbox.asn1;

import org.jspecify.annotations.NullMarked;
