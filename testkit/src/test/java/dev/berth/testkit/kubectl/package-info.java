/** The first hour with kubectl, on a real cluster. */
@NullMarked
package dev.berth.testkit.kubectl;

import org.jspecify.annotations.NullMarked;
