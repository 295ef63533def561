/** Namespaces: emptied when they end, given their default service account when they begin. */
@NullMarked
package dev.berth.sandbox.controller.namespace;

import org.jspecify.annotations.NullMarked;
