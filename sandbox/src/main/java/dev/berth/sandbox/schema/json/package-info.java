/** Decodes JSON and YAML request bodies by the schema, with the error messages of the real server. */
@NullMarked
package dev.berth.sandbox.schema.json;

import org.jspecify.annotations.NullMarked;
