@NullMarked
package dev.berth.http.diagnostics;

import org.jspecify.annotations.NullMarked;
