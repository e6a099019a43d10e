extension Duration {
  /// The same in seconds, as filters and rates need it.
  var inSeconds: Double { self / .seconds(1) }

  /// The seconds from an earlier time to this one. Any two times have such a difference, which as a `Duration` could be
  /// too large.
  func seconds(since earlier: Duration) -> Double { inSeconds - earlier.inSeconds }
}

extension Double {
  /// Compares a number of seconds as cameras count them: the difference of two timestamps that should be a tenth of a
  /// second is a little more or a little less. The comparison with a limit of a tenth must have the same result for all
  /// of them.
  func isLonger(than limit: Duration) -> Bool { self > limit.inSeconds + 1e-6 }
}
