/** Reads JSON and YAML request bodies by the schema, with the real server's words for what is wrong with them. */
@NullMarked
package dev.berth.sandbox.schema.json;

import org.jspecify.annotations.NullMarked;
