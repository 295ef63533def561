package dev.berth.core.door.devices;

import dev.berth.core.ledger.LedgerView;
import java.util.Optional;

/** Finds the pod that has a device or a claim, for the filter: live on the loop thread, or fixed for other threads. */
interface DeviceUserLookup {
    Optional<DeviceUsage.DeviceUser> findByDevice(String device);

    Optional<DeviceUsage.DeviceUser> findByClaim(DeviceClaim.ClaimKey claim);

    /** Whether a pod may have the claim; {@link #findByClaim} returns the pod. */
    boolean mayBeInUse(DeviceClaim.ClaimKey claim);

    /** Changes whenever a user changes. */
    long version();

    /** Fixed users, with the snapshot of the same moment. */
    record Fixed(DeviceUsers users, LedgerView ledger) implements DeviceUserLookup {
        @Override
        public Optional<DeviceUsage.DeviceUser> findByDevice(String device) {
            return users.findByDevice(ledger, device);
        }

        @Override
        public Optional<DeviceUsage.DeviceUser> findByClaim(DeviceClaim.ClaimKey claim) {
            return users.findByClaim(ledger, claim);
        }

        @Override
        public boolean mayBeInUse(DeviceClaim.ClaimKey claim) {
            return users.byClaim().has(claim);
        }

        @Override
        public long version() {
            return users.version();
        }
    }
}
