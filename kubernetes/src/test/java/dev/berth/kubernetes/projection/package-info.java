/** What is read of objects, in both languages. */
@NullMarked
package dev.berth.kubernetes.projection;

import org.jspecify.annotations.NullMarked;
