/** The namespace controller, and the controller of the default service account. */
@NullMarked
package dev.berth.sandbox.controller.namespace;

import org.jspecify.annotations.NullMarked;
