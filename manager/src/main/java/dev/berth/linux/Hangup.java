package dev.berth.linux;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** SIGHUP, by which a service is told to read its configuration anew. */
public final class Hangup {
  private Hangup() {}

  /**
   * From now on, SIGHUP calls this, on a thread of its own, and does not end the process.
   *
   * <p>The JDK's own class for it is in the module jdk.unsupported, for which the compiler has a
   * warning that cannot be turned off; so it is looked up by its name.
   *
   * @throws IllegalStateException where the JVM has no such class, or was told to leave signals
   *     alone
   */
  public static void calls(Runnable deed) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      MethodHandle run =
          MethodHandles.lookup()
              .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
              .bindTo(deed);
      Object proxy =
          MethodHandleProxies.asInterfaceInstance(
              handler, MethodHandles.dropArguments(run, 0, signal));
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("SIGHUP cannot be handled by this JVM", e);
    }
  }
}
