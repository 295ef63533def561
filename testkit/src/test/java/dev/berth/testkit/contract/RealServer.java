package dev.berth.testkit.contract;

import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.RealControlPlane;
import dev.berth.testkit.controlplane.SharedControlPlane;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives the contract a real kube-apiserver. */
public final class RealServer implements ParameterResolver, ApiServerUnderTest {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == ApiServerUnderTest.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return this;
    }

    @Override
    public Access access() {
        return SharedControlPlane.get().access();
    }

    /** etcd forgets what was, and the watch cache that begins anew cannot have it either. */
    @Override
    public void forget(String version) {
        RealControlPlane plane = SharedControlPlane.get();
        plane.compact(Long.parseLong(version));
        plane.restartApiServer();
    }
}
