/** The pages of kube-extended-resource, and kube-scheduler with Berth as its extender. */
@NullMarked
package dev.berth.e2e.pages.devices;

import org.jspecify.annotations.NullMarked;
