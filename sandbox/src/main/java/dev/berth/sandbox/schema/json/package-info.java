/** Decodes JSON and YAML request bodies with the schema and with the error messages of the real server. */
@NullMarked
package dev.berth.sandbox.schema.json;

import org.jspecify.annotations.NullMarked;
