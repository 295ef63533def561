@NullMarked
package dev.berth.app.diagnostics;

import org.jspecify.annotations.NullMarked;
