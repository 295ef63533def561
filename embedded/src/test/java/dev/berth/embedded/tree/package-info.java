@NullMarked
package dev.berth.embedded.tree;

import org.jspecify.annotations.NullMarked;
