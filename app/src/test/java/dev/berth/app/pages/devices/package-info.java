/** The pages of kube-extended-resource, and kube-scheduler with Berth as its extender. */
@NullMarked
package dev.berth.app.pages.devices;

import org.jspecify.annotations.NullMarked;
