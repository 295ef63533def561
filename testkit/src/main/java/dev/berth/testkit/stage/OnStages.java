package dev.berth.testkit.stage;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class once on each of these stages that this run chooses. A test or its set-up may take the {@link Stage}
 * as a parameter. On a stage with a real control plane, tests are skipped with a message if there is none.
 *
 * <p>Surefire chooses classes by tag, and a class has the same tags on every stage. Therefore the stages of a run have a
 * property of their own, and the tag {@code stages} only says that a class is chosen by it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ClassTemplate
@Tag("stages")
@ExtendWith(StageInvocations.class)
public @interface OnStages {
    Stage[] value();
}
