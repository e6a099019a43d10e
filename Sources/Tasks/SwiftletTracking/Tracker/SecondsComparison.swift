extension Double {
  /// Compares two numbers of seconds as cameras count them: the difference of two timestamps that should be a tenth of
  /// a second is now a little more and now a little less, and must not fall now on this and now on that side of a limit
  /// of a tenth.
  func isLonger(than limit: Double) -> Bool { self > limit + 1e-6 }
}
