@NullMarked
package dev.berth.http.extender;

import org.jspecify.annotations.NullMarked;
