/** The controllers of kube-controller-manager that the sandbox has. They run on one thread, or a test steps them. */
@NullMarked
package dev.berth.sandbox.controller;

import org.jspecify.annotations.NullMarked;
