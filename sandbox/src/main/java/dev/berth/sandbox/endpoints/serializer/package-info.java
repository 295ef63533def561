/** Bodies: which form a client wants, reading what it sends, and writing objects, lists, tables and watch events. */
@NullMarked
package dev.berth.sandbox.endpoints.serializer;

import org.jspecify.annotations.NullMarked;
