@NullMarked
package dev.berth.sandbox.printers;

import org.jspecify.annotations.NullMarked;
