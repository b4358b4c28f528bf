package dev.berth.ledger;

import java.util.Comparator;

/**
 * The order of device ids in which the lowest comes first.
 *
 * <p>Numbers inside an id count as numbers, so {@code gpu-2} comes before {@code gpu-10}; all else
 * goes by code points. Ids that differ only in leading zeros go by code points too, so that no two
 * ids are ever equal.
 */
final class DeviceOrder implements Comparator<String> {
  static final DeviceOrder BY_ID = new DeviceOrder();

  private DeviceOrder() {}

  @Override
  public int compare(String one, String other) {
    int i = 0;
    int j = 0;
    while (i < one.length() && j < other.length()) {
      if (isDigit(one, i) && isDigit(other, j)) {
        int endOne = numberEnd(one, i);
        int endOther = numberEnd(other, j);
        int order = compareNumbers(one.substring(i, endOne), other.substring(j, endOther));
        if (order != 0) {
          return order;
        }
        i = endOne;
        j = endOther;
      } else {
        int order = Integer.compare(one.codePointAt(i), other.codePointAt(j));
        if (order != 0) {
          return order;
        }
        i += Character.charCount(one.codePointAt(i));
        j += Character.charCount(other.codePointAt(j));
      }
    }
    int rest = Integer.compare(one.length() - i, other.length() - j);
    return rest != 0 ? rest : one.compareTo(other);
  }

  private static boolean isDigit(String text, int at) {
    return text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private static int numberEnd(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text, end)) {
      end++;
    }
    return end;
  }

  /** Compares digits of any length, without their leading zeros. */
  private static int compareNumbers(String one, String other) {
    String plainOne = one.substring(leadingZeros(one));
    String plainOther = other.substring(leadingZeros(other));
    int byLength = Integer.compare(plainOne.length(), plainOther.length());
    return byLength != 0 ? byLength : plainOne.compareTo(plainOther);
  }

  private static int leadingZeros(String digits) {
    int zeros = 0;
    while (zeros < digits.length() && digits.charAt(zeros) == '0') {
      zeros++;
    }
    return zeros;
  }
}
