package dev.berth.testkit.contract;

import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the API server of their stage, one for all tests of a JVM. */
public final class ServerExtension implements ParameterResolver {

    private static final class SandboxHolder {
        static final ApiServerUnderTest SERVER = new SandboxServer();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == ApiServerUnderTest.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return Stage.of(test) == Stage.SANDBOX ? SandboxHolder.SERVER : new RealServer();
    }
}
