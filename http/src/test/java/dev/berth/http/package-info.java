@NullMarked
package dev.berth.http;

import org.jspecify.annotations.NullMarked;
