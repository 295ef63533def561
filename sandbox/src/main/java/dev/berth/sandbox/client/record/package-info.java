/** Records Events as client-go does: repeated Events are counted, similar ones combined, floods dropped. */
@NullMarked
package dev.berth.sandbox.client.record;

import org.jspecify.annotations.NullMarked;
