/// The rates that bound an operator: of arithmetic, and of memory for a working set of its size.
struct Roofline: Hashable, Sendable {
  /// The peak in multiply-adds per millisecond.
  var arithmetic: Double
  /// The bandwidth in bytes per millisecond.
  var bandwidth: Double

  /// Returns the shortest possible time in milliseconds.
  func time(multiplyAdds: Int, bytes: Int) -> Double {
    max(Double(multiplyAdds) / arithmetic, Double(bytes) / bandwidth)
  }

  /// Returns the attainable multiply-adds per millisecond: the peak, or the bandwidth times the arithmetic intensity.
  func attainable(multiplyAdds: Int, bytes: Int) -> Double {
    min(arithmetic, bandwidth * Double(multiplyAdds) / Double(max(bytes, 1)))
  }

  func isBoundByArithmetic(multiplyAdds: Int, bytes: Int) -> Bool {
    Double(multiplyAdds) / arithmetic >= Double(bytes) / bandwidth
  }

  /// Returns the share of the attainable speed that a time in milliseconds achieves.
  func share(ofTime time: Double, multiplyAdds: Int, bytes: Int) -> Double {
    self.time(multiplyAdds: multiplyAdds, bytes: bytes) / max(time, 1e-9)
  }
}
