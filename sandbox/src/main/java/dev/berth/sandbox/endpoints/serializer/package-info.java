/** Bodies: content negotiation, decoding of requests, encoding of objects, lists, tables and watch events. */
@NullMarked
package dev.berth.sandbox.endpoints.serializer;

import org.jspecify.annotations.NullMarked;
