package dev.berth.app.scenario.stage;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Says on which stage a test class plays. Its tests take a {@link Scene} as a parameter. All classes of a JVM share one
 * stage of a kind, which opens when the first asks for it and closes when the last test has ended; a test that does
 * something to the stage itself opens its own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(SharedStage.class)
public @interface On {
    Class<? extends Stage> value();
}
