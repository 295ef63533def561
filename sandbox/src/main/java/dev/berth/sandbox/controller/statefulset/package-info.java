/** The StatefulSet controller: pods with a number, a name and volumes of their own, made and replaced in order. */
@NullMarked
package dev.berth.sandbox.controller.statefulset;

import org.jspecify.annotations.NullMarked;
