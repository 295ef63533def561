/** Tests of the documentation and of all text that users see: plain English, names and links that exist. */
@NullMarked
package dev.berth.e2e.prose;

import org.jspecify.annotations.NullMarked;
