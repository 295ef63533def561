@NullMarked
package dev.berth.embedded.crd.schema;

import org.jspecify.annotations.NullMarked;
