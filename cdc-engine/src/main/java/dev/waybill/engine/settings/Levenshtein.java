package dev.waybill.engine.settings;

/** How many single-character edits lie between two texts. */
final class Levenshtein {

  private Levenshtein() {}

  static int distance(String left, String right) {
    int[] previous = new int[right.length() + 1];
    for (int column = 0; column <= right.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= left.length(); row++) {
      previous = next(previous, row, left.charAt(row - 1), right);
    }
    return previous[right.length()];
  }

  private static int[] next(int[] previous, int row, char letter, String right) {
    int[] current = new int[previous.length];
    current[0] = row;
    for (int column = 1; column < current.length; column++) {
      int replaced = previous[column - 1] + (letter == right.charAt(column - 1) ? 0 : 1);
      current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
    }
    return current;
  }
}
