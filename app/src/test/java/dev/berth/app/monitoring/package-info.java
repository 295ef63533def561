@NullMarked
package dev.berth.app.monitoring;

import org.jspecify.annotations.NullMarked;
