@NullMarked
package dev.berth.embedded.crd;

import org.jspecify.annotations.NullMarked;
