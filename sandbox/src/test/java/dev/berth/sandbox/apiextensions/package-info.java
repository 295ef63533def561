@NullMarked
package dev.berth.sandbox.apiextensions;

import org.jspecify.annotations.NullMarked;
