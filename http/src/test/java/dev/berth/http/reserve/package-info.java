@NullMarked
package dev.berth.http.reserve;

import org.jspecify.annotations.NullMarked;
