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
 * Marks tests that need a real control plane or its kubectl. They have the tag {@code real} and are skipped with a
 * message if there is none. They get the shared control plane as a {@link RealControlPlane} parameter.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("real")
@ExtendWith(SharedControlPlaneExtension.class)
public @interface OnRealControlPlane {}
