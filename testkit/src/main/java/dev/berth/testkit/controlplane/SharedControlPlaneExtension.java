package dev.berth.testkit.controlplane;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the control plane that all test classes of a JVM share, with kube-controller-manager and without
 * kube-scheduler. It starts with the first test that needs it, and ends with the JVM. If this machine has none and
 * cannot build one, the tests are skipped with a message. With CI={@code true} or {@code
 * -Dberth.require.controlplane=true} they fail instead.
 *
 * <p>Tests use {@link OnRealControlPlane} and take a {@link RealControlPlane} as a parameter. If a test fails, its
 * output has the last log lines of all programs.
 */
public final class SharedControlPlaneExtension implements ExecutionCondition, ParameterResolver, TestWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(SharedControlPlaneExtension.class);

    @Nullable
    private static volatile RealControlPlane running;

    // Each is created at the first use, and a failure is remembered: a hundred tests should not each wait a minute for
    // the same failure.
    private static final class BinariesHolder {
        static final Attempt<ControlPlaneBinaries> PROGRAMS = attempt(ControlPlaneBinaries::find);
    }

    private static final class ControlPlaneHolder {
        static final Attempt<RealControlPlane> PLANE = attempt(SharedControlPlaneExtension::start);
    }

    /** The result of creating something. */
    private sealed interface Attempt<T> {
        record Succeeded<T>(T value) implements Attempt<T> {}

        record Missing<T>(String why) implements Attempt<T> {}

        record Failed<T>(String why) implements Attempt<T> {}
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext test) {
        if (BinariesHolder.PROGRAMS instanceof Attempt.Missing<ControlPlaneBinaries> missing && !isRequired()) {
            return ConditionEvaluationResult.disabled("there is no real control plane here: " + missing.why());
        }
        return ConditionEvaluationResult.enabled("there is a real control plane, or there must be");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == RealControlPlane.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return controlPlane();
    }

    @Override
    public void testFailed(ExtensionContext test, @Nullable Throwable cause) {
        RealControlPlane plane = running;
        if (plane != null) {
            LOG.error("{} failed.\n{}", test.getDisplayName(), plane.logTails());
        }
    }

    /** The shared control plane, started if needed; throws if there is none. */
    public static RealControlPlane controlPlane() {
        Attempt<RealControlPlane> attempt = ControlPlaneHolder.PLANE;
        if (attempt instanceof Attempt.Succeeded<RealControlPlane> succeeded) {
            return succeeded.value();
        }
        throw new IllegalStateException("there is no real control plane: " + attempt);
    }

    private static RealControlPlane start() {
        RealControlPlane started =
                RealControlPlane.start(ControlPlaneOptions.bare().withControllers());
        Runtime.getRuntime().addShutdownHook(new Thread(started::close, "control-plane-end"));
        running = started;
        return started;
    }

    private static <T> Attempt<T> attempt(Supplier<T> way) {
        try {
            return new Attempt.Succeeded<>(way.get());
        } catch (MissingControlPlaneException e) {
            return new Attempt.Missing<>(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("no control plane", e);
            return new Attempt.Failed<>(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isRequired() {
        return "true".equals(System.getenv("CI")) || Boolean.getBoolean("berth.require.controlplane");
    }
}
