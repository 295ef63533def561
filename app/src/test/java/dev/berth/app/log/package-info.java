@NullMarked
package dev.berth.app.log;

import org.jspecify.annotations.NullMarked;
