/** What a person types in the first hour, by the real kubectl, on any cluster that can be had. */
@NullMarked
package dev.berth.testkit.kubectl;

import org.jspecify.annotations.NullMarked;
