package dev.waybill.engine.capture;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A byte in the numbered files of one server's binary log. Comparable with places of the same
 * server only, as long as its log is not reset.
 *
 * @param file such as {@code binlog.000042}
 */
record BinlogPlace(String file, long pos) implements Comparable<BinlogPlace> {

  private static final Pattern NUMBERED = Pattern.compile(".*\\.([0-9]{1,18})");

  private static final Comparator<BinlogPlace> ORDER =
      Comparator.comparingLong(BinlogPlace::number).thenComparingLong(BinlogPlace::pos);

  BinlogPlace {
    if (!NUMBERED.matcher(file).matches()) {
      throw new IllegalArgumentException("no file of a binary log: \"" + file + "\"");
    }
  }

  /** The file's number; the server counts on beyond its six digits. */
  long number() {
    Matcher matcher = NUMBERED.matcher(file);
    if (!matcher.matches()) {
      throw new IllegalStateException(file);
    }
    return Long.parseLong(matcher.group(1));
  }

  @Override
  public int compareTo(BinlogPlace other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return file + ":" + pos;
  }
}
