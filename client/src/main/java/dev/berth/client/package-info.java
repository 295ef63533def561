/** The Reserve API of a Berth that runs elsewhere, from Java. It needs nothing of Berth's other modules. */
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
