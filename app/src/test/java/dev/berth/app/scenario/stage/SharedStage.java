package dev.berth.app.scenario.stage;

import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Opens stages, keeps them until the last test has ended, and gives each test a scene that ends with it. */
final class SharedStage implements ParameterResolver {
    private static final ExtensionContext.Namespace STAGES = ExtensionContext.Namespace.create(SharedStage.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Scene scene = new Scene(stage(test));
        // Whatever is in a test's own store is closed when the test ends.
        test.getStore(STAGES).put(Scene.class, scene);
        return scene;
    }

    private static Stage stage(ExtensionContext test) {
        Optional<On> on = AnnotationSupport.findAnnotation(test.getRequiredTestClass(), On.class);
        Class<? extends Stage> kind = on.orElseThrow(() -> new IllegalStateException(
                        "(%s) has no @On that says where it plays".formatted(test.getRequiredTestClass())))
                .value();
        return test.getRoot()
                .getStore(STAGES)
                .computeIfAbsent(kind, Attempt::toOpen, Attempt.class)
                .stage();
    }

    /** Kept also when it failed: a hundred tests that each wait a minute for the same failure help nobody. */
    private record Attempt(Optional<Stage> opened, Optional<RuntimeException> failure) implements AutoCloseable {
        static Attempt toOpen(Class<? extends Stage> kind) {
            try {
                return new Attempt(Optional.of(open(kind)), Optional.empty());
            } catch (RuntimeException failure) {
                return new Attempt(Optional.empty(), Optional.of(failure));
            }
        }

        Stage stage() {
            return opened.orElseThrow(() -> new IllegalStateException("there is no stage", failure.orElseThrow()));
        }

        @Override
        public void close() {
            opened.ifPresent(Stage::close);
        }
    }

    private static Stage open(Class<? extends Stage> kind) {
        try {
            return kind.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("stage (%s) does not open".formatted(kind.getSimpleName()), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("(%s) is no stage that opens by itself".formatted(kind), e);
        }
    }
}
