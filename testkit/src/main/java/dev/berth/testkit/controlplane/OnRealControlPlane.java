package dev.berth.testkit.controlplane;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that need a real control plane, or its kubectl alone: tagged {@code real}, skipped in words where there is
 * none, given the shared one when they take a {@link RealControlPlane} as a parameter.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("real")
@ExtendWith(SharedControlPlaneExtension.class)
public @interface OnRealControlPlane {}
