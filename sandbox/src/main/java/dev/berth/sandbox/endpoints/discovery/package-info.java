/** Discovery, OpenAPI, version and health. */
@NullMarked
package dev.berth.sandbox.endpoints.discovery;

import org.jspecify.annotations.NullMarked;
