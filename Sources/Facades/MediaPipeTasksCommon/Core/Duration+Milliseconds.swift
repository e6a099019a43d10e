extension Duration {
  /// The whole milliseconds, as MediaPipe counts time.
  ///
  /// A duration that was made from a number of milliseconds gives that number, so there is no overflow.
  package var inMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
