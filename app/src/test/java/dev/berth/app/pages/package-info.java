/** The user pages of the tools that Berth replaces, typed into real kubectl, on both servers. */
@NullMarked
package dev.berth.app.pages;

import org.jspecify.annotations.NullMarked;
