/** The user pages of the tools that Berth replaces, typed into real kubectl, on both servers. */
@NullMarked
package dev.berth.e2e.pages;

import org.jspecify.annotations.NullMarked;
