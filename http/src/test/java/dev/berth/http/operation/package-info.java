@NullMarked
package dev.berth.http.operation;

import org.jspecify.annotations.NullMarked;
