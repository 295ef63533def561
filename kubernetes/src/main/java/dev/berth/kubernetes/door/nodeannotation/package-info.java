/** What is written on nodes about room that is kept, read into what the door understands. */
@NullMarked
package dev.berth.kubernetes.door.nodeannotation;

import org.jspecify.annotations.NullMarked;
