/** The controllers that make workloads live, as kube-controller-manager has them, on one thread or stepped by hand. */
@NullMarked
package dev.berth.sandbox.controller;

import org.jspecify.annotations.NullMarked;
