@NullMarked
package dev.berth.http.globalreserve;

import org.jspecify.annotations.NullMarked;
