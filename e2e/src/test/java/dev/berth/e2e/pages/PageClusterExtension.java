package dev.berth.e2e.pages;

import static java.util.Objects.requireNonNull;

import dev.berth.app.config.DoorSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.testkit.stage.Stage;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts a cluster for a page on each of its stages, and closes it after the page's last test there. */
final class PageClusterExtension implements BeforeClassTemplateInvocationCallback, ParameterResolver {
    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(PageClusterExtension.class);

    @Override
    public void beforeClassTemplateInvocation(ExtensionContext page) throws IOException, InterruptedException {
        PageCluster cluster = start(Stage.of(page), doors(page.getRequiredTestClass()));
        // JUnit closes what is in the store when the page's tests on this stage have ended.
        page.getStore(STORE).put(PageCluster.class, cluster);
        cluster.kubectl()
                .run("wait node --all --for=condition=Ready --timeout=60s")
                .ok();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == PageCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return requireNonNull(test.getStore(STORE).get(PageCluster.class));
    }

    private static PageCluster start(Stage stage, DoorSettings doors) throws IOException, InterruptedException {
        return switch (stage) {
            case SANDBOX -> new UpPageCluster(doors);
            case REAL -> new RealPageCluster(doors);
            case KUBE_SCHEDULER -> throw new IllegalArgumentException("kube-scheduler serves no page");
        };
    }

    private static DoorSettings doors(Class<?> page) {
        boolean preempting = AnnotationSupport.isAnnotated(page, PreemptingReservations.class);
        return PageCluster.doors(disabledDoors(page))
                .withReservations(ReservationSettings.DEFAULT.withPreemptionEnabled(preempting));
    }

    private static Set<DoorId> disabledDoors(Class<?> page) {
        return AnnotationSupport.findAnnotation(page, DisabledDoors.class)
                .map(disabled -> Set.of(disabled.value()))
                .orElse(Set.of());
    }
}
