@NullMarked
package dev.berth.embedded.http.tls;

import org.jspecify.annotations.NullMarked;
