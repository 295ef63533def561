@NullMarked
package dev.berth.core.door.nodeannotation;

import org.jspecify.annotations.NullMarked;
