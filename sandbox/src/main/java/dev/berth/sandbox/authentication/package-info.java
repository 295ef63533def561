/** Authentication: bearer tokens and their users. */
@NullMarked
package dev.berth.sandbox.authentication;

import org.jspecify.annotations.NullMarked;
