/// Two neighbouring pixels of the source and how much of the second to take.
struct LinearTap: Sendable, Hashable {
  let index0: Int
  let index1: Int
  let weight: Float

  /// Half-pixel centres, positions in double precision, clamped to the edge.
  static func table(from source: Int, to target: Int) -> [LinearTap] {
    let scale = Double(source) / Double(target)
    return (0..<target).map { index in
      let position = (Double(index) + 0.5) * scale - 0.5
      let floor = position.rounded(.down)
      let first = Int(floor)
      if first < 0 { return LinearTap(index0: 0, index1: 0, weight: 0) }
      if first >= source - 1 { return LinearTap(index0: source - 1, index1: source - 1, weight: 0) }
      return LinearTap(index0: first, index1: first + 1, weight: Float(position - floor))
    }
  }

  /// The first pixel of the source on the first of the target, the last on the last; positions in single precision.
  ///
  /// The steps are MediaPipe's, so that where a position falls on a pixel it falls on the same one. A target of one
  /// pixel takes the first of the source.
  static func alignedTable(from source: Int, to target: Int) -> [LinearTap] {
    let scale = target > 1 ? Float(source - 1) / Float(target - 1) : 0
    return (0..<target).map { index in
      let position = Float(index) * scale
      let first = min(Int(position), source - 1)
      return LinearTap(
        index0: first, index1: min(first + 1, source - 1), weight: max(min(position - Float(first), 1), 0))
    }
  }
}
