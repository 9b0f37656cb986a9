package dev.waybill.engine.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A set of GTIDs: which transactions of which servers. Immutable, with value equality; its text is
 * the one that MySQL prints, without line breaks. Tags (MySQL 8.3 and later) are understood.
 */
final class GtidSet {

  static final GtidSet EMPTY = new GtidSet(new TreeMap<>());

  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern TAG = Pattern.compile("[a-z_][a-z0-9_]{0,31}");
  private static final Pattern INTERVAL = Pattern.compile("([0-9]{1,19})(?:-([0-9]{1,19}))?");

  private final SortedMap<Origin, Intervals> members;

  private GtidSet(SortedMap<Origin, Intervals> members) {
    this.members = members;
  }

  /**
   * Who numbers transactions.
   *
   * @param tag empty for none
   */
  private record Origin(String uuid, String tag) implements Comparable<Origin> {

    private static final Comparator<Origin> ORDER =
        Comparator.comparing(Origin::uuid).thenComparing(Origin::tag);

    @Override
    public int compareTo(Origin other) {
      return ORDER.compare(this, other);
    }
  }

  /** One transaction: {@code uuid:number} or {@code uuid:tag:number}. */
  private record Gtid(Origin origin, long number) {

    static Gtid parse(String text) {
      String[] parts = text.toLowerCase(Locale.ROOT).split(":", -1);
      if (parts.length < 2 || parts.length > 3) {
        throw new IllegalArgumentException("no GTID: \"" + text + "\"");
      }
      String tag = parts.length == 3 ? parts[1] : "";
      Range range = Range.parse(parts[parts.length - 1], text);
      if (range.first() != range.last() || !(tag.isEmpty() || TAG.matcher(tag).matches())) {
        throw new IllegalArgumentException("no GTID: \"" + text + "\"");
      }
      return new Gtid(new Origin(uuid(parts[0], text), tag), range.first());
    }
  }

  private record Range(long first, long last) {

    static Range parse(String text, String whole) {
      Matcher matcher = INTERVAL.matcher(text);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "no GTID interval: \"" + text + "\" in \"" + whole + "\"");
      }
      long first = Long.parseLong(matcher.group(1));
      long last = matcher.group(2) == null ? first : Long.parseLong(matcher.group(2));
      if (first < 1 || last < first) {
        throw new IllegalArgumentException(
            "no GTID interval: \"" + text + "\" in \"" + whole + "\"");
      }
      return new Range(first, last);
    }

    @Override
    public String toString() {
      return first == last ? Long.toString(first) : first + "-" + last;
    }
  }

  /** In ascending order, with at least one number between two of them. */
  private record Intervals(List<Range> ranges) {

    static Intervals of(List<Range> unordered) {
      List<Range> ordered = new ArrayList<>(unordered);
      ordered.sort(Comparator.comparingLong(Range::first));
      List<Range> joined = new ArrayList<>(ordered.size());
      for (Range range : ordered) {
        Range before = joined.isEmpty() ? null : joined.get(joined.size() - 1);
        if (before == null || before.last() < range.first() - 1) {
          joined.add(range);
        } else {
          joined.set(
              joined.size() - 1, new Range(before.first(), Math.max(before.last(), range.last())));
        }
      }
      return new Intervals(List.copyOf(joined));
    }

    Intervals with(Intervals others) {
      List<Range> both = new ArrayList<>(ranges);
      both.addAll(others.ranges);
      return of(both);
    }

    boolean contains(Range wanted) {
      int from = 0;
      int to = ranges.size();
      while (from < to) {
        int middle = (from + to) >>> 1;
        Range range = ranges.get(middle);
        if (range.last() < wanted.first()) {
          from = middle + 1;
        } else if (wanted.last() < range.first()) {
          to = middle;
        } else {
          return range.first() <= wanted.first() && wanted.last() <= range.last();
        }
      }
      return false;
    }

    boolean containsAll(Intervals others) {
      return others.ranges.stream().allMatch(this::contains);
    }
  }

  /**
   * Reads what MySQL prints as {@code @@gtid_executed}, line breaks and all.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static GtidSet parse(String text) {
    SortedMap<Origin, Intervals> members = new TreeMap<>();
    for (String source : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      if (!source.isBlank() || text.contains(",")) {
        addSource(source.strip(), text, members);
      }
    }
    return new GtidSet(members);
  }

  /** {@code uuid:interval[:interval …][:tag:interval[:interval …] …]} */
  private static void addSource(String source, String whole, Map<Origin, Intervals> members) {
    String[] parts = source.split(":", -1);
    Origin origin = new Origin(uuid(parts[0].strip(), whole), "");
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      if (TAG.matcher(part.strip()).matches()) {
        origin = new Origin(origin.uuid(), part.strip());
      } else {
        Intervals interval = new Intervals(List.of(Range.parse(part.strip(), whole)));
        members.merge(origin, interval, Intervals::with);
      }
    }
    if (!members.containsKey(origin)) {
      throw new IllegalArgumentException("GTIDs without numbers in \"" + whole + "\"");
    }
  }

  private static String uuid(String text, String whole) {
    if (!UUID.matcher(text).matches()) {
      throw new IllegalArgumentException("no server's UUID: \"" + text + "\" in \"" + whole + "\"");
    }
    return text;
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  GtidSet add(String gtid) {
    Gtid one = Gtid.parse(gtid);
    SortedMap<Origin, Intervals> sum = new TreeMap<>(members);
    sum.merge(
        one.origin(),
        new Intervals(List.of(new Range(one.number(), one.number()))),
        Intervals::with);
    return new GtidSet(sum);
  }

  boolean contains(String gtid) {
    Gtid one = Gtid.parse(gtid);
    Intervals intervals = members.get(one.origin());
    return intervals != null && intervals.contains(new Range(one.number(), one.number()));
  }

  boolean containsAll(GtidSet others) {
    return others.members.entrySet().stream()
        .allMatch(
            other -> {
              Intervals mine = members.get(other.getKey());
              return mine != null && mine.containsAll(other.getValue());
            });
  }

  GtidSet union(GtidSet others) {
    SortedMap<Origin, Intervals> sum = new TreeMap<>(members);
    others.members.forEach((origin, intervals) -> sum.merge(origin, intervals, Intervals::with));
    return new GtidSet(sum);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GtidSet set && members.equals(set.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  /** As MySQL prints it: empty for the empty set. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    String uuid = "";
    for (Map.Entry<Origin, Intervals> member : members.entrySet()) {
      Origin origin = member.getKey();
      if (!origin.uuid().equals(uuid)) {
        text.append(text.isEmpty() ? "" : ",").append(origin.uuid());
        uuid = origin.uuid();
      }
      if (!origin.tag().isEmpty()) {
        text.append(':').append(origin.tag());
      }
      member.getValue().ranges().forEach(range -> text.append(':').append(range));
    }
    return text.toString();
  }
}
