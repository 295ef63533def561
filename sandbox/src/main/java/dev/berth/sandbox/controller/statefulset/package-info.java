/** The StatefulSet controller: pods with an ordinal, a stable name and their own volumes, created and replaced in order. */
@NullMarked
package dev.berth.sandbox.controller.statefulset;

import org.jspecify.annotations.NullMarked;
