package dev.berth.linux;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Signals by which a process is told something: SIGHUP, SIGWINCH. */
public final class Signals {
  private Signals() {}

  /**
   * From now on, the signal calls this, on a thread of its own, and does what it did no more.
   *
   * <p>The JDK's own class for it is in the module jdk.unsupported, for which the compiler has a
   * warning that cannot be turned off; so it is looked up by its name.
   *
   * @param name without SIG, such as {@code HUP}
   * @param deed what it calls
   * @throws IllegalStateException where the JVM has no such class, or was told to leave signals
   *     alone
   */
  public static void calls(String name, Runnable deed) {
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
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("SIG" + name + " cannot be handled by this JVM", e);
    }
  }
}
