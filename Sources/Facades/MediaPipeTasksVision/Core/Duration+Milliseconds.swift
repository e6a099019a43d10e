extension Duration {
  /// The whole milliseconds, as MediaPipe counts time.
  ///
  /// Of what was made from milliseconds it is their number, so there is no overflow.
  var inMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
