/** The binary form of certificates and keys. */
@NullMarked
package dev.berth.embedded.der;

import org.jspecify.annotations.NullMarked;
