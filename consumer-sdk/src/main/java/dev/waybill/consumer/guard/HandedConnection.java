package dev.waybill.consumer.guard;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection as the handler gets it: everything works but ending the transaction, and nothing
 * works after the handler has returned, since the pool may have given the connection to somebody
 * else by then. Statements, results and metadata lead back to it, not to the connection behind it,
 * and end with it. {@code unwrap} is the way past all that, for what only the driver can do.
 *
 * <p>Proxies, because JDBC's interfaces differ between JDKs and pass 50 methods; the cost per call
 * is far below that of the statement's round trip.
 */
final class HandedConnection implements InvocationHandler {

  private static final int ALIVE_WITHIN_SECONDS = 5;

  private static final Set<String> REFUSED =
      Set.of("commit", "close", "abort", "setAutoCommit", "setTransactionIsolation");

  /** What comes out of a connection and leads back to it; the narrower type comes first. */
  private static final List<Class<?>> LEADING_BACK =
      List.of(
          CallableStatement.class,
          PreparedStatement.class,
          Statement.class,
          ResultSet.class,
          DatabaseMetaData.class);

  private final Connection behind;
  private final String eventId;
  private final Connection handed;
  private volatile boolean ended;
  private volatile boolean wasAway;
  private volatile @Nullable SQLException conflict;

  HandedConnection(Connection behind, String eventId) {
    this.behind = behind;
    this.eventId = eventId;
    this.handed = proxy(Connection.class, this);
  }

  Connection toHandler() {
    return handed;
  }

  void end() {
    ended = true;
  }

  /**
   * Whether a failure of the handler means that this connection's database is away: it said so, or
   * it is dead. Anything else that the handler asked and that is away is the handler's affair.
   */
  boolean isAwayAfter(Throwable failure) {
    return SqlFailure.of(failure) == SqlFailure.UNAVAILABLE && (wasAway || !isAlive());
  }

  /** The last conflict with another transaction that the handler was told, or none. */
  @Nullable SQLException conflict() {
    return conflict;
  }

  private boolean isAlive() {
    try {
      return behind.isValid(ALIVE_WITHIN_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(proxy, method, arguments);
    }
    if (REFUSED.contains(name) || (name.equals("rollback") && arguments == null)) {
      throw new IllegalStateException(
          "A handler may not call %s on the connection of its event (%s): the consumer ends the"
                  .formatted(name, eventId)
              + " transaction; the event counts as failed unless the handler catches this");
    }
    if (ended) {
      return afterTheEnd(name);
    }
    return leadingBack(call(behind, method, arguments));
  }

  private Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "part of the transaction of event " + eventId + " (" + behind + ")";
    };
  }

  /** What is closed may be closed again and asked about, and that is all. */
  private @Nullable Object afterTheEnd(String name) {
    if (name.equals("isClosed")) {
      return true;
    }
    if (name.equals("isValid")) {
      return false;
    }
    if (name.equals("close")) {
      return null;
    }
    throw new IllegalStateException(
        "The transaction of event %s is over, %s came too late: a connection must not be used after"
                .formatted(eventId, name)
            + " the handler has returned");
  }

  private @Nullable Object leadingBack(@Nullable Object result) {
    for (Class<?> type : LEADING_BACK) {
      if (result != null && type.isInstance(result)) {
        return proxy(type, (proxy, method, arguments) -> ask(result, proxy, method, arguments));
      }
    }
    return result;
  }

  private @Nullable Object ask(
      Object target, Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(proxy, method, arguments);
    }
    if (ended) {
      return afterTheEnd(name);
    }
    return name.equals("getConnection") ? handed : leadingBack(call(target, method, arguments));
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable failure = e.getCause() == null ? e : e.getCause();
      remember(failure);
      throw failure;
    }
  }

  private void remember(Throwable failure) {
    switch (SqlFailure.of(failure)) {
      case UNAVAILABLE -> wasAway = true;
      case CONFLICT -> conflict = failure instanceof SQLException sql ? sql : conflict;
      case OTHER -> {}
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            HandedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
