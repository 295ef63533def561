/** Reading and composing API objects as JSON trees: fields, metadata, owners, selectors and times. */
@NullMarked
package dev.berth.sandbox.client.unstructured;

import org.jspecify.annotations.NullMarked;
