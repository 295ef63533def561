@NullMarked
package dev.berth.kubernetes.door.nodeannotation;

import org.jspecify.annotations.NullMarked;
