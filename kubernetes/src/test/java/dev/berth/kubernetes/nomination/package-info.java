@NullMarked
package dev.berth.kubernetes.nomination;

import org.jspecify.annotations.NullMarked;
