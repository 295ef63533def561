@NullMarked
package dev.berth.sandbox.unstructured;

import org.jspecify.annotations.NullMarked;
