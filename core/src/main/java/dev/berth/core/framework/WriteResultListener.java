package dev.berth.core.framework;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;

/**
 * A component that is called for the results of other components' writes too.
 *
 * @param <C> the handle that the component is given
 */
public interface WriteResultListener<C extends Handle> extends Component<C> {
    /** The API server answered a write of another component, which has been called before. */
    void onOtherWriteResult(Effect.Write write, WriteResult writeResult, C handle);
}
