@NullMarked
package dev.berth.sandbox.apiextensions.schema;

import org.jspecify.annotations.NullMarked;
