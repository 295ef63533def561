@NullMarked
package dev.berth.sandbox.http.tls;

import org.jspecify.annotations.NullMarked;
