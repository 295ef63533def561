/** Reading and composing API objects as JSON trees: fields, metadata, owners, selectors and times. */
@NullMarked
package dev.berth.embedded.client.object;

import org.jspecify.annotations.NullMarked;
