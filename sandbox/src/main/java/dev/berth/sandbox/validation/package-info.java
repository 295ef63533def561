/** What the API server refuses of an object's content, in its own words and causes. */
@NullMarked
package dev.berth.sandbox.validation;

import org.jspecify.annotations.NullMarked;
