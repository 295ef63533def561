@NullMarked
package dev.berth.http.budget;

import org.jspecify.annotations.NullMarked;
