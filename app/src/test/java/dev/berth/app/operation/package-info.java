@NullMarked
package dev.berth.app.operation;

import org.jspecify.annotations.NullMarked;
