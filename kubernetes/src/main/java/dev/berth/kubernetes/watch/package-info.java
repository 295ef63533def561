/** Lists and watches that go on for ever: what happens to the objects of a kind, told in order and without gaps. */
@NullMarked
package dev.berth.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
